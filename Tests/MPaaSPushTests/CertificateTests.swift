import Foundation
import MPaaSPush
import MPaaSTestSupport
import Testing

@Suite("Certificates of the double", .tool("openssl")) struct CertificateTests {
  @Test("are what OpenSSL takes under its strict rules, for the names and addresses of the server alone")
  func strict() throws {
    let folder = try TemporaryFolder()
    let (authority, server) = (folder.path + "/ca.pem", folder.path + "/server.pem")
    let made = try DoubleCertificates(
      names: ["localhost"], addresses: [[127, 0, 0, 1]], now: Date().timeIntervalSince1970)
    try made.authority.write(toFile: authority, atomically: true, encoding: .utf8)
    try made.server.write(toFile: server, atomically: true, encoding: .utf8)
    func verifies(_ options: String...) throws -> Bool {
      let words = ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", authority] + options + [server]
      return try Command.run("openssl", words).status == 0
    }
    #expect(try verifies("-verify_ip", "127.0.0.1"))
    #expect(try verifies("-verify_hostname", "localhost"))
    #expect(try !verifies("-verify_ip", "127.0.0.2"))
    #expect(try !verifies("-verify_hostname", "example.com"))
  }
}
