/// Words and phrases that people commonly build long passwords from, as far as libzxcvbn's English
/// dictionary lacks them.
extension PasswordGuess {
  /// The words, folded as passwords are, without separators.
  static let commonWords: [[Unicode.Scalar]] = list.split { $0 == " " || $0 == "\n" }
    .map { Array(folded(String($0)).unicodeScalars) }

  /// Characters that are used in place of letters, as in `p@ssw0rd`.
  static let disguises: [Unicode.Scalar: [Unicode.Scalar]] = [
    "0": ["o", "о"], "1": ["i", "l"], "3": ["e", "з"], "4": ["a", "ч"], "5": ["s"], "6": ["б"],
    "7": ["t"], "8": ["b"], "9": ["g"], "@": ["a", "а"], "$": ["s"], "!": ["i", "l"], "+": ["t"],
  ]

  /// Words in Russian and Hebrew, also in Latin letters or typed on another keyboard layout, then
  /// well-known phrases.
  private static let list = """
    пароль секрет привет здравствуйте любовь люблю тебя солнце солнышко зайка котик котенок кошка
    собака мама папа мамочка бабушка дедушка семья россия москва минск беларусь украина спартак
    зенит динамо цска футбол хоккей наташа максим андрей александр сергей дмитрий владимир марина
    светлана екатерина анастасия виктория настя лето зима весна осень январь февраль март апрель
    июнь июль август сентябрь октябрь ноябрь декабрь понедельник вторник среда четверг пятница
    суббота воскресенье поликлиника больница доктор врач пациент здоровье медицина админ
    администратор пользователь гость вход деньги счастье удача победа родина друг друзья
    parol privet lubov lublu natasha maksim andrey aleksandr sergey dmitriy vladimir marina svetlana
    nastya solnce spartak zenit dinamo rossiya moskva bolnica poliklinika zdorovie doktor vrach
    סיסמה סיסמא סוד סודי שלום אהבה אוהב אוהבת אותך אני שלי מנהל משתמש אורח כניסה בוקר טוב לילה
    ישראל ירושלים תלאביב חיפה מכבי הפועל ביתר אמא אבא משפחה חבר חברה מרפאה רופא רופאה חולה בריאות
    בית חולים נסיכה מלאך חיים sisma shalom ahava yisrael yerushalayim maccabi hapoel beitar
    gfhjkm ghbdtn yfnfif cthutq fylhtq cjkywt зфыыцщкв фвьшт дщпшт ысфьзщд
    correcthorsebatterystaple thequickbrownfox jumpsoverthelazydog tobeornottobe thatisthequestion
    maytheforcebewithyou onceuponatime inthebeginning twinkletwinklelittlestar happybirthdaytoyou
    wearethechampions neveragain mypasswordis thisismypassword iamthebest iloveyouso ihatepasswords
    welcometothejungle itsmylife bonjovi troubador troubadour metallica nirvana rammstein hotelcalifornia
    incorrect mypassword newpassword oldpassword noonewillguess itsasecret topsecret nopassword
    loremipsumdolorsitamet consecteturadipiscing donttrustanyone livelaughlove hakunamatata
    мамамылараму ялюблютебя втравесиделкузнечик япомнючудноемгновенье
    однаждывстуденуюзимнююпору вчащобахюгажилбы съешьещеэтихмягких мойдядясамыхчестныхправил
    белеетпарусодинокий умомроссиюнепонять вставайстранаогромная
    אניאוהבאותך הסיסמהשלי ברוךהבא יוםהולדתשמח בראשיתברא שמעישראל התקווה
    """
}
