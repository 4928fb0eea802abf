import PolyclinicCore
import PolyclinicFormats
import Testing

@testable import Contacts

/// Tables of contacts, as other programs export them.
@Suite struct ContactTableTests {
  private func contacts(of file: [UInt8]) throws -> [Contact] {
    try #require(try ContactTable(file)).cards.map { try CardReading($0).contact }
  }

  @Test func `the table of Google Contacts is read with all its ways`() throws {
    let file = """
      First Name,Middle Name,Last Name,Organization Name,Birthday,Notes,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Label,Address 1 - Street,Address 1 - City,Address 1 - Postal Code
      Vera,,Orlova,School,1985-04-12,"tall, kind",* Work,vera@example.org,Mobile,+375 29 111 ::: +375 17 222,Home,Hill Road 5,Minsk,220030

      """
    let contact = try #require(try contacts(of: Array(file.utf8)).first)
    #expect(contact.name == "Vera Orlova" && contact.workplace == "School")
    #expect(contact.birthday == CalendarDate("1985-04-12") && contact.notes == "tall, kind")
    #expect(
      Set(contact.methods.map(\.value))
        == ["vera@example.org", "+375 29 111", "+375 17 222"])
    #expect(contact.address == "Hill Road 5\n220030 Minsk")
  }

  @Test(arguments: [
    "First Name,Last Name,E-mail Address,Mobile Phone,Birthday\nVera,Orlova,v@example.org,111,0/0/00\n",
    "Имя;Фамилия;Адрес эл. почты;Мобильный телефон\nVera;Orlova;v@example.org;111\n",
    "שם פרטי,שם משפחה,כתובת דואר אלקטרוני,טלפון נייד\nVera,Orlova,v@example.org,111\n",
  ])
  func `the table of Outlook is read in each of the languages`(_ file: String) throws {
    let contact = try #require(try contacts(of: Array(file.utf8)).first)
    #expect(contact.name == "Vera Orlova" && contact.birthday == nil)
    #expect(Set(contact.methods.map(\.value)) == ["v@example.org", "111"])
  }

  @Test func `a table in the encoding of Windows is read`() throws {
    let cyrillic = "Имя,Фамилия,Телефон\nВера,Орлова,111\n".unicodeScalars.map { scalar -> UInt8 in
      scalar.value < 0x80 ? UInt8(scalar.value) : UInt8(scalar.value - 0x410 + 0xC0)
    }
    #expect(try contacts(of: cyrillic).map(\.name) == ["Вера Орлова"])
    let latin = Array("First Name,Mobile Phone\nJ".utf8) + [0xF6] + Array("rg,111\n".utf8)
    #expect(try contacts(of: latin).map(\.name) == ["Jörg"])
  }

  @Test(arguments: ["date,value\n2026-05-04,1\n", "", "BEGIN:VCARD\nFN:name,phone\nEND:VCARD\n"])
  func `any other file is no table of contacts`(_ file: String) throws {
    let table = try ContactTable(Array(file.utf8))
    #expect(table == nil)
  }

  @Test func `a damaged table is refused with its line`() {
    let file = "First Name,Mobile Phone\nVera\n"
    #expect { try ContactTable(Array(file.utf8)) } throws: { error in
      guard case Refusal.invalid("file", let text) = error else { return false }
      return text.key == "card.table-fault" && text.arguments["line"] == "2"
    }
  }
}
