extension ValueSets {
  /// The EU value set `covid-19-lab-test-manufacturer-and-name`, with the devices of rapid tests.
  /// New ones were added each month, so pages show an unknown number unchanged.
  static let testDevices: [String: Term] = [
    "1833": Term("AAZ-LMB, COVID-VIRO"),
    "1232": Term("Abbott Rapid Diagnostics, Panbio COVID-19 Ag Rapid Test"),
    "1468": Term("ACON Laboratories, Inc, Flowflex SARS-CoV-2 Antigen rapid test"),
    "2108": Term("AESKU.DIAGNOSTICS GmbH & Co. KG, AESKU.RAPID SARS-CoV-2"),
    "2130": Term("Affimedix, Inc., TestNOW® - COVID-19 Antigen Test"),
    "1304": Term("AMEDA Labordiagnostik GmbH, AMP Rapid Test SARS-CoV-2 Ag"),
    "1822": Term(
      "Anbio (Xiamen) Biotechnology Co., Ltd, Rapid COVID-19 Antigen Test(Colloidal Gold)"),
    "1815": Term(
      "Anhui Deep Blue Medical Technology Co., Ltd, COVID-19 (SARS-CoV-2) Antigen "
        + "Test Kit (Colloidal Gold) - Nasal Swab"),
    "1736": Term(
      "Anhui Deep Blue Medical Technology Co., Ltd, COVID-19 (SARS-CoV-2) Antigen "
        + "Test Kit(Colloidal Gold)"),
    "768": Term("ArcDia International Ltd, mariPOC SARS-CoV-2"),
    "1654": Term("Asan Pharmaceutical CO., LTD, Asan Easy Test COVID-19 Ag"),
    "2010": Term(
      "Atlas Link Technology Co., Ltd., NOVA Test® SARS-CoV-2 Antigen Rapid Test Kit "
        + "(Colloidal Gold Immunochromatography)"),
    "2101": Term(
      "AXIOM Gesellschaft für Diagnostica und Biochemica mbH, COVID-19 Antigen Rapid Test"),
    "1906": Term("Azure Biotech Inc, COVID-19 Antigen Rapid Test Device"),
    "1065": Term("Becton Dickinson, BD Veritor™ System for Rapid Detection of SARS CoV 2"),
    "1870": Term(
      "Beijing Hotgen Biotech Co., Ltd, Novel Coronavirus 2019-nCoV Antigen Test (Colloidal Gold)"),
    "1331": Term("Beijing Lepu Medical Technology Co., Ltd, SARS-CoV-2 Antigen Rapid Test Kit"),
    "1484": Term(
      "Beijing Wantai Biological Pharmacy Enterprise Co., Ltd, Wantai SARS-CoV-2 Ag "
        + "Rapid Test (FIA)"),
    "1242": Term("Bionote, Inc, NowCheck COVID-19 Ag Test"),
    "1223": Term("BIOSYNEX S.A., BIOSYNEX COVID-19 Ag BSS"),
    "1236": Term("BTNX Inc, Rapid Response COVID-19 Antigen Rapid Test"),
    "1173": Term("CerTest Biotec, CerTest SARS-CoV-2 Card test"),
    "1919": Term("Core Technology Co., Ltd, Coretests COVID-19 Ag Test"),
    "1225": Term("DDS DIAGNOSTIC, Test Rapid Covid-19 Antigen (tampon nazofaringian)"),
    "1375": Term("DIALAB GmbH, DIAQUICK COVID-19 Ag Cassette"),
    "1244": Term("GenBody, Inc, Genbody COVID-19 Ag Test"),
    "1253": Term("GenSure Biotech Inc, GenSure COVID-19 Antigen Rapid Kit"),
    "2183": Term("Getein Biotech, Inc., One Step Test for SARS-CoV-2 Antigen (Colloidal Gold)"),
    "1144": Term("Green Cross Medical Science Corp., GENEDIA W COVID-19 Ag"),
    "1747": Term(
      "Guangdong Hecin Scientific, Inc., 2019-nCoV Antigen Test Kit (colloidal gold method)"),
    "1360": Term("Guangdong Wesail Biotech Co., Ltd, COVID-19 Ag Test Kit"),
    "1437": Term(
      "Guangzhou Wondfo Biotech Co., Ltd, Wondfo 2019-nCoV Antigen Test (Lateral Flow Method)"),
    "1257": Term("Hangzhou AllTest Biotech Co., Ltd, COVID-19 Antigen Rapid Test"),
    "1363": Term("Hangzhou Clongene Biotech Co., Ltd, Covid-19 Antigen Rapid Test Kit"),
    "1365": Term(
      "Hangzhou Clongene Biotech Co., Ltd, COVID-19/Influenza A+B Antigen Combo Rapid Test"),
    "1844": Term(
      "Hangzhou Immuno Biotech Co.,Ltd, Immunobio SARS-CoV-2 Antigen ANTERIOR NASAL "
        + "Rapid Test Kit (minimal invasive)"),
    "1215": Term(
      "Hangzhou Laihe Biotech Co., Ltd, LYHER Novel Coronavirus (COVID-19) Antigen "
        + "Test Kit(Colloidal Gold)"),
    "2139": Term(
      "HANGZHOU LYSUN BIOTECHNOLOGY CO., LTD., COVID-19 Antigen Rapid Test Device（Colloidal Gold）"),
    "1392": Term("Hangzhou Testsea Biotechnology Co., Ltd, COVID-19 Antigen Test Cassette"),
    "1767": Term("Healgen Scientific, Coronavirus Ag Rapid Test Cassette"),
    "1263": Term("Humasis, Humasis COVID-19 Ag Test"),
    "1333": Term(
      "Joinstar Biomedical Technology Co., Ltd, COVID-19 Rapid Antigen Test (Colloidal Gold)"),
    "1764": Term(
      "JOYSBIO (Tianjin) Biotechnology Co., Ltd, SARS-CoV-2 Antigen Rapid Test Kit "
        + "(Colloidal Gold)"),
    "1266": Term("Labnovation Technologies Inc, SARS-CoV-2 Antigen Rapid Test Kit"),
    "2128": Term(
      "Lumigenex (Suzhou) Co., Ltd, PocRoc®SARS-CoV-2 Antigen Rapid Test Kit (Colloidal Gold)"),
    "1267": Term("LumiQuick Diagnostics Inc, QuickProfile COVID-19 Antigen Test"),
    "1268": Term("LumiraDX, LumiraDx SARS-CoV-2 Ag Test"),
    "1180": Term("MEDsan GmbH, MEDsan SARS-CoV-2 Antigen Rapid Test"),
    "2029": Term("Merlin Biomedical (Xiamen) Co., Ltd., SARS-CoV-2 Antigen Rapid Test Cassette"),
    "1190": Term("möLab, mö-screen Corona Antigen Test"),
    "1481": Term("MP Biomedicals, Rapid SARS-CoV-2 Antigen Test Card"),
    "2104": Term("Nal von minden GmbH, NADAL COVID -19 Ag +Influenza A/B Test"),
    "1162": Term("Nal von minden GmbH, NADAL COVID-19 Ag Test"),
    "1420": Term("NanoEntek, FREND COVID-19 Ag"),
    "1501": Term("New Gene (Hangzhou) Bioengineering Co., Ltd, COVID-19 Antigen Detection Kit"),
    "1199": Term("Oncosem Onkolojik Sistemler San. ve Tic. A.S., CAT"),
    "308": Term("PCL Inc, PCL COVID19 Ag Rapid FIA"),
    "2116": Term(
      "PerGrande BioTech Development Co., Ltd., SARS-CoV-2 Antigen Detection Kit "
        + "(Colloidal Gold Immunochromatographic Assay)"),
    "1271": Term("Precision Biosensor, Inc, Exdia COVID-19 Ag"),
    "1341": Term(
      "Qingdao Hightop Biotech Co., Ltd, SARS-CoV-2 Antigen Rapid Test (Immunochromatography)"),
    "1097": Term("Quidel Corporation, Sofia SARS Antigen FIA"),
    "1606": Term("RapiGEN Inc, BIOCREDIT COVID-19 Ag - SARS-CoV 2 Antigen test"),
    "1604": Term("Roche (SD BIOSENSOR), SARS-CoV-2 Rapid Antigen Test"),
    "1489": Term("Safecare Biotech (Hangzhou) Co. Ltd, COVID-19 Antigen Rapid Test Kit (Swab)"),
    "1490": Term(
      "Safecare Biotech (Hangzhou) Co. Ltd, Multi-Respiratory Virus Antigen Test "
        + "Kit(Swab)  (Influenza A+B/ COVID-19)"),
    "1201": Term("ScheBo Biotech AG, ScheBo SARS CoV-2 Quick Antigen"),
    "344": Term("SD BIOSENSOR Inc, STANDARD F COVID-19 Ag FIA"),
    "345": Term("SD BIOSENSOR Inc, STANDARD Q COVID-19 Ag Test"),
    "1319": Term("SGA Medikal, V-Chek SARS-CoV-2 Ag Rapid Test Kit (Colloidal Gold)"),
    "2109": Term(
      "Shenzhen Lvshiyuan Biotechnology Co., Ltd., Green Spring SARS-CoV-2 Antigen-Rapid test-Set"),
    "2017": Term("Shenzhen Ultra-Diagnostics Biotec.Co.,Ltd, SARS-CoV-2 Antigen Test Kit"),
    "1769": Term(
      "Shenzhen Watmind Medical Co., Ltd, SARS-CoV-2 Ag Diagnostic Test Kit (Colloidal Gold)"),
    "1574": Term(
      "Shenzhen Zhenrui Biotechnology Co., Ltd, Zhenrui ®COVID-19 Antigen Test Cassette"),
    "1218": Term("Siemens Healthineers, CLINITEST Rapid Covid-19 Antigen Test"),
    "1114": Term("Sugentech, Inc, SGTi-flex COVID-19 Ag"),
    "1466": Term("TODA PHARMA, TODA CORONADIAG Ag"),
    "1934": Term("Tody Laboratories Int., Coronavirus (SARS-CoV 2) Antigen - Oral Fluid"),
    "2074": Term(
      "Triplex International Biosciences (China) Co., LTD., SARS-CoV-2 Antigen Rapid Test Kit"),
    "1443": Term("Vitrosens Biotechnology Co., Ltd, RapidFor SARS-CoV-2 Rapid Ag Test"),
    "2103": Term("VivaChek Biotech (Hangzhou) Co., Ltd, VivaDiag Pro SARS-CoV-2 Ag Rapid Test"),
    "2098": Term(
      "Wuhan EasyDiagnosis Biomedicine Co., Ltd., COVID-19 (SARS-CoV-2) Antigen Test Kit"),
    "1763": Term(
      "Xiamen AmonMed Biotechnology Co., Ltd, COVID-19 Antigen Rapid Test Kit (Colloidal Gold)"),
    "1278": Term("Xiamen Boson Biotech Co. Ltd, Rapid SARS-CoV-2 Antigen Test Card"),
    "1456": Term("Xiamen Wiz Biotech Co., Ltd, SARS-CoV-2 Antigen Rapid Test"),
    "1884": Term("Xiamen Wiz Biotech Co., Ltd, SARS-CoV-2 Antigen Rapid Test (Colloidal Gold)"),
    "1296": Term("Zhejiang Anji Saianfu Biotech Co., Ltd, AndLucky COVID-19 Antigen Rapid Test"),
    "1295": Term("Zhejiang Anji Saianfu Biotech Co., Ltd, reOpenTest COVID-19 Antigen Rapid Test"),
    "1343": Term(
      "Zhezhiang Orient Gene Biotech Co., Ltd, Coronavirus Ag Rapid Test Cassette (Swab)"),
  ]
}
