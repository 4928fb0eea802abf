import PolyclinicCore
import PolyclinicDocuments

extension VaccinationQRModule {
  /// Certificates of the first patient and of two relatives, and some vaccination records.
  public var demonstration: Demonstration? {
    Demonstration { town, portal, work in
      guard let patient = town.patients.first else { return }
      for (label, text) in invented {
        let code = try DocumentDecoder.draw(Array(text.utf8))
        _ = try NewCertificate(label: label, codes: [code]).insert(in: work.with(patient.keys))
      }
      let today = LocalDateTime(portal.now, in: portal.clinic.zone).date
      for vaccination in vaccinations(until: today) {
        _ = try Vaccination.records.insert(vaccination, in: work.with(patient.keys))
      }
    }
  }
}

/// EU certificates of fictional people, signed with a key that was not kept.
private let invented = [
  (
    "Grandmother",
    """
    HC1:6BF%-KZY91RGFP24O9L*RBV34KE KNH/3D69KQ4HP5/AD54A KKBCVL72T3IZBI2NDP$R+CLR*SEVB*QE524/6F1A3NSGICUD+N%045/ON%B\
    9:B3:9:ANWDVTCIT+P3J4*IJA7QF4CA+4-NE60M0YLI-HP+GI40TOD1NQA5AWNAS.J3YLV7DXZ8Z 6.L0.6IIFO*QS01TN19QL50%54%3PICJZT7\
    28V180BHDM3*W18%KMKUB*KEJD/8DLLT3QLKID01SN01D*017D*5JPNDSYI65B.YSANG.SSERN19BV6CFWKOMIU$7C.K :LP9O0 US%DFS8XYLN2\
    K/FA%$KPN3C80-+RGPUV*L5-47.L2YN*JPTLV.MBW3A
    """
  ),
  (
    "Theo",
    """
    HC1:6BF%-KNB81RGEP2/QHB8UK/H+C70+NV60TP4AD2TNO*MJ.7DK$IWBW+-KM:9389FMJA2FPID3IN%039$R2HPTW3F/216QM1C:LQU.ERU1I/Q\
    G/Q3PU9MV9V6%TQAV9T.F%05V$V%UL.RK/8OHM0GZCDFEZ4Q8THX4VHEILJSU8CQ*IMJ0Y+IIUUR2SD1UPIHGTCV8A:U8KRIB:5O15HEO39TCXUZ\
    1VZW7TI7Y.S9UBC%ELGUGH0CY0QRRUB8Y+BQRI0U3GCON/G*91YBAJ:HOXE1II..8.GJ*ZBU$5 FMIHI/D8I%3$ILA$T:DU6GBP3NGNM6-BJ+JOF\
    9M0DIVJ1V0-:N0Y1H+MVALL/L:-64TIL4U7K833A
    """
  ),
  (
    "",
    """
    HC1:NCFOXN%TSMAHN-HYK4./V9R7-0IXJRTH4O:5+T9JP1UII%DA43DYUIN8F%.O-MPW$NLEENKE$JDVPLZ2KD0K8KES/F-1JS-KBIH HGX2M5$C\
    .-B97U: KZYNQBRQ-REWU+-V3-SY$N9P1E14 GSE5GU7JC.UDWA0$JZ-SM.SY$NKTA5/3X5D:%OD3POC9JU0D0HT0HB2PL/IB*0IE9WT0K3M9UVZ\
    SVV*001HW%8IE9MIHJ6W48UK.GCY0O1P9-8:0L.A57$PS-O7$P395*CBVZ0Z0LD932L0A KZ*U0I1-I0YQCM93YE9/MV%2F3ZCO1B8ZVV5TN%2UP\
    20J5/5LEBFD-48YIWFT-67-C0*E6NTITO6HI8J.V J8$XJK*L5R1ZP35YL$V1R.DH+6A8E-/6/3K7M5VOUKQUX3B2R6* BBOMA.VKUOZVLPE2U-4\
    83JT+VF0JOXRLYE7SN77W3AQ0 PLXHF8VPR7$$CS5VKPGT5KL7LK$DKQVLYMC10PF3H1
    """
  ),
]

/// Returns vaccinations of an adult and a child, the last with a dose that is due soon.
private func vaccinations(until today: CalendarDate) -> [Vaccination] {
  [
    Vaccination(
      vaccine: "Influenza, quadrivalent", disease: "Influenza", date: today.adding(days: -41),
      batch: "FL-2207", givenBy: "Station Square Clinic"),
    Vaccination(
      vaccine: "Tetanus and diphtheria", disease: "Tetanus, diphtheria",
      date: today.adding(days: -1_300), dose: 4, batch: "TD-0419",
      givenBy: "Station Square Clinic", nextDue: today.adding(days: 2_350)),
    Vaccination(
      label: "Theo", vaccine: "Tick-borne encephalitis, child", disease: "Tick-borne encephalitis",
      date: today.adding(days: -160), dose: 2, batch: "TBE-51", givenBy: "Dr. Elmswood",
      nextDue: today.adding(days: 18), isReminded: true),
  ]
}
