import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import VaccinationQR

@Suite struct CertificateTests {
  @Test func `before the first certificate the page says what can be kept`() throws {
    let page = try TestPortal(VaccinationQRModule()).register().get("/vaccination-qr")
    #expect(page.status == 200)
    #expect(page.contains("Choose a certificate image"))
  }
}
