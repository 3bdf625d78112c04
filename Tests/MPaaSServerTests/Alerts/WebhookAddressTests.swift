import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("The address of a webhook") struct WebhookAddressTests {
  @Test("is refused or resolved as each example says", .fixtures)
  func examples() throws {
    let text = String(decoding: try Fixture.data("console/webhook/targets.tsv"), as: UTF8.self)
    let lines = text.split(separator: "\n").dropFirst().map { $0.split(separator: "\t").map(String.init) }
    #expect(lines.count > 20)
    for line in lines {
      let found: String
      do throws(ServerError) {
        _ = try WebhookAddress(line[0], allowsPrivate: false)
        found = "resolve"
      } catch {
        #expect(error.code == .webhookAddress)
        found = "refuse"
      }
      #expect(found == line[1], "\(line[0])")
    }
  }

  @Test("loses its fragment, and of private networks is taken where that is allowed")
  func taken() throws {
    let address = try WebhookAddress("http://hooks.example.com:8080/a?b#@127.0.0.1/", allowsPrivate: false)
    #expect(address.url == "http://hooks.example.com:8080/a?b")
    #expect(address.host == "hooks.example.com")
    for text in ["http://127.0.0.1:9/x", "http://[::1]/", "http://console/", "https://10.0.0.5/"] {
      #expect(throws: ServerError.self, "\(text)") { try WebhookAddress(text, allowsPrivate: false) }
      #expect(throws: Never.self, "\(text)") { try WebhookAddress(text, allowsPrivate: true) }
    }
    for text in ["http://0x7f.1/", "http://127.1/", "http://a..b/", "http://-a.b/", "http://a.b:0/", "http://a.b:/"] {
      #expect(throws: ServerError.self, "\(text)") { try WebhookAddress(text, allowsPrivate: true) }
    }
  }

  @Test("special addresses are none of the whole internet, also within those of IPv6")
  func special() {
    let special = [
      "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.9.9.9", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8",
      "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "255.255.255.255", "::",
      "::1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "fe80::1", "fc00::1", "ff02::1",
      "2001::1", "2001:db8::1", "3fff::1", "100::1",
    ]
    for text in special { #expect(InternetAddress(text)?.isGlobal == false, "\(text)") }
    for text in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"] {
      #expect(InternetAddress(text)?.isGlobal == true, "\(text)")
    }
    for text in ["1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1.2.3.x", "", "1.2.3.+4", "::g"] {
      #expect(InternetAddress(text) == nil, "\(text)")
    }
  }

  @Test("any text is refused with its code or taken, and what is taken has one plain host")
  func random() {
    var random = SeededRandom(seed: 27)
    let signs = Array("http://ab.c1-_:@[]\\/?#%0xFf é\u{0}.".unicodeScalars)
    for _ in 0..<20_000 {
      var text = Bool.random(using: &random) ? "http://" : ""
      for _ in 0..<Int.random(in: 0...24, using: &random) {
        text.unicodeScalars.append(signs[Int.random(in: 0..<signs.count, using: &random)])
      }
      guard let address = try? WebhookAddress(text, allowsPrivate: true) else { continue }
      #expect(!address.host.isEmpty && !address.host.contains { "@/\\?# ".contains($0) }, "\(text)")
    }
  }
}
