import CPostgreSQL
import Foundation
import PolyclinicCore
import PolyclinicSystem
import Testing

@testable import PolyclinicStore

@Suite struct PostgreSQLAddressTests {
  @Test func `several hosts, ports and a certificate are read`() throws {
    let address = try PostgreSQLAddress(
      parsing: "postgresql://polyclinic@db1:5433,db2,[fd00::1]:5434/clinic"
        + "?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem")
    #expect(address.hosts.map(\.name) == ["db1", "db2", "fd00::1"])
    #expect(address.hosts.map(\.port) == ["5433", "5432", "5434"])
    #expect("\(address)" == "clinic on db1:5433, db2:5432, fd00::1:5434 as polyclinic")
    let options = try address.options(for: address.hosts[0])
    #expect(options.contains("sslmode='verify-full'"))
    #expect(options.contains("channel_binding='require'"))
    #expect(options.contains("sslrootcert='/etc/ca.pem'"))
  }

  @Test func `a unix socket is read`() throws {
    let address = try PostgreSQLAddress(
      parsing: "postgresql:///clinic?host=/run/postgresql&user=it's%5Cme")
    #expect("\(address)" == #"clinic on /run/postgresql as it's\me"#)
    #expect(try address.options(for: address.hosts[0]).contains(#"user='it\'s\\me'"#))
    #expect(try address.options(for: address.hosts[0]).contains("sslmode='disable'"))
  }

  @Test(arguments: [
    ("mysql://a@b/c", "must begin with postgresql://"), ("postgresql://b/c", "names no user"),
    ("postgresql://a@b", "names no database"), ("postgresql://a@/c", "names no host"),
    ("postgresql:///c?host=run&user=a", "names no host"),
    ("postgresql://a:hidden@b/c", "password_file"),
    ("postgresql://a@b/c?password=hidden", "password_file"),
    ("postgresql://a@b/c?sslmode=prefer", "weaken sslmode"),
    ("postgresql://a@b/c?channel_binding=prefer", "weaken channel_binding"),
    ("postgresql://a@b/c?options=-cfsync%3Doff", "not known here: options"),
    ("postgresql://a@b/c?user=a&user=b", "a parameter once"),
    ("postgresql://a@b:0/c", "a port that is no number"),
    ("postgresql://a@b,:5/c", "a host without a name"), ("postgresql://a@b/%zz", "a % that"),
  ])
  func `an address is refused with the reason`(url: String, reason: String) throws {
    let error = #expect(throws: Misuse.self) { try PostgreSQLAddress(parsing: url) }
    #expect(error?.description.contains(reason) == true)
    #expect(error?.description.contains("hidden") == false)
  }

  @Test func `a password comes from a file that its owner alone may read`() throws {
    let fixture = try Fixture()
    let path = fixture.directory + "/password"
    try Data("it's secret\n".utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o640)
    let error = #expect(throws: Misuse.self) {
      try PostgreSQLAddress(parsing: "postgresql://a@b/c", passwordFile: path)
    }
    #expect(error?.description == "Others may read \(path): chmod 600 \(path)")
    chmod(path, 0o600)
    let address = try PostgreSQLAddress(parsing: "postgresql://a@b/c", passwordFile: path)
    #expect(try address.options(for: address.hosts[0]).contains(#"password='it\'s secret'"#))
    #expect(!"\(address)".contains("secret"))
    try Data("\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: Misuse.self) {
      try PostgreSQLAddress(parsing: "postgresql://a@b/c", passwordFile: path)
    }
  }

  @Test func `each option that the environment could set is given`() throws {
    let address = try PostgreSQLAddress(parsing: "postgresql://a@b/c")
    var message: UnsafeMutablePointer<CChar>?
    let parsed = PQconninfoParse(try address.options(for: address.hosts[0]), &message)
    #expect(message == nil)
    let options = try #require(parsed)
    defer { PQconninfoFree(options) }
    var missing: [String] = []
    var option = options
    while let keyword = option.pointee.keyword {
      // A service only sets what is not given.
      if option.pointee.envvar != nil, option.pointee.val == nil {
        missing.append(String(cString: keyword))
      }
      option += 1
    }
    #expect(missing == ["service"])
  }
}
