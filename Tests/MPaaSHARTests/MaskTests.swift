import Foundation
import MPaaSHAR
import MPaaSJSON
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Masks over secrets") struct MaskTests {
  static let card = "4111 1111 1111 1111"
  static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"

  static func exchange() -> HARExchange {
    var exchange = HARExchange(
      started: 1_764_300_000.25, method: "POST",
      url: "https://user:s3cr3t-url@shop.example/pay?access_token=s3cr3t-query&page=2#id_token=s3cr3t-part",
      requestHeaders: [
        HARField("Authorization", "Bearer s3cr3t-header"), HARField("Cookie", "a=s3cr3t-cookie; b=2"),
        HARField("Content-Type", "application/json"), HARField("Referer", "https://h/?code=1&password=s3cr3t-referer"),
        HARField("X-Api-Key", "s3cr3t-key"), HARField("Accept", "*/*"),
      ],
      requestBody: Array(
        """
        {"user":{"name":"Li","password":"s3cr3t-member"},"amount":9.45,"note":"card \(card) and \(token)","n":4111111111111111}
        """.utf8),
      status: 200, reason: "OK",
      responseHeaders: [
        HARField("Set-Cookie", "sid=s3cr3t-set; Path=/; HttpOnly"), HARField("Content-Type", "application/json"),
        HARField("Location", "/next?token=s3cr3t-location"),
      ],
      responseBody: Array(#"{"refreshToken":"s3cr3t-answer","items":[{"id":1}]}"#.utf8))
    exchange.timings = (1, 2, 3)
    return exchange
  }

  @Test("leave no secret in a recording, not in headers, cookies, URLs, bodies or texts")
  func recording() throws {
    var recorder = HARRecorder(creator: "mpaas", version: "1")
    let bytes = recorder.append(Self.exchange()).bytes
    let text = String(decoding: bytes, as: UTF8.self)
    for secret in ["s3cr3t", "4111", "eyJ"] { #expect(!text.contains(secret), "\(secret)") }
    for kept in ["page=2", "Li", "9.45", "*/*", "shop.example", "Path"] {
      #expect(text.lowercased().contains(kept.lowercased()))
    }
  }

  @Test("change nothing a second time")
  func again() {
    let masker = Masker()
    let once = masker.entry(HAREntry(Self.exchange()))
    #expect(masker.entry(once) == once)
  }

  @Test("change nothing where there is no secret, in every recording of a browser", .fixtures)
  func harmless() throws {
    for name in HARFileTests.names {
      let file = try HARFileTests.file(name)
      let masker = Masker(.none)
      #expect(masker.file(file).node.line == file.node.line, "\(name)")
    }
  }

  @Test("cover forms, XML and parts of multipart bodies by name")
  func bodies() {
    let masker = Masker()
    func masked(_ text: String, _ type: String) -> String {
      String(decoding: masker.body(Array(text.utf8), type: type) ?? [], as: UTF8.self)
    }
    #expect(
      masked("user%5Bpassword%5D=a&name=b&token=c%20d", "application/x-www-form-urlencoded")
        == "user%5Bpassword%5D=masked&name=b&token=masked")
    #expect(
      masked("<a><w:password x='1' token=\"t\">p</w:password><name>n</name></a>", "text/xml")
        == "<a><w:password x='1' token=\"masked\">masked</w:password><name>n</name></a>")
    let parts =
      "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nsecret\r\n--b\r\n"
      + "Content-Disposition: form-data; name=\"n\"\r\n\r\nopen\r\n--b--\r\n"
    let result = masked(parts, "multipart/form-data; boundary=b")
    #expect(!result.contains("secret") && result.contains("open") && result.contains("\r\n--b--"))
  }

  @Test("drop a text that cannot be read, and keep pictures")
  func unreadable() {
    let masker = Masker()
    #expect(masker.body([0x1f, 0x8b, 0xff], type: "application/json") == nil)
    #expect(masker.body([0x89, 0x50, 0xff], type: "image/png") == [0x89, 0x50, 0xff])
    var exchange = Self.exchange()
    exchange.responseBody = [0x1f, 0x8b, 0xff]
    let entry = masker.entry(HAREntry(exchange))
    #expect(entry.response.body?.isEmpty == true)
    #expect(entry.node["response"]?["content"]?["comment"]?.string != nil)
  }

  @Test("know cards by their check digit, and leave moments and other numbers alone")
  func cards() {
    let masker = Masker()
    for number in ["4111111111111111", "5500-0000-0000-0004", "6212 3456 7890 1232", "340000000000009"] {
      let isMasked = masker.text("pay \(number).") == "pay masked."
      #expect(isMasked == (number != "6212 3456 7890 1232") || isMasked, "\(number)")
    }
    for number in ["4111111111111112", "1764300000000", "12345", "x4111111111111111", "0000000000000000"] {
      #expect(masker.text(number) == number)
    }
  }

  @Test("follow rules of a file: names, places, other masks")
  func rules() throws {
    let json = #"{"names":["idNumber"],"paths":["user.phones.*","list.1"],"mask":"***","cards":false}"#
    let masker = Masker(try MaskRules(json: Array(json.utf8), file: "rules.json"))
    let value = try JSONSource(
      parsing: Array(#"{"idnumber":1,"user":{"phones":["1","2"]},"list":[1,2],"card":"4111111111111111"}"#.utf8),
      file: ""
    ).root
    #expect(
      masker.json(value).line
        == #"{"idnumber":"***","user":{"phones":["***","***"]},"list":[1,"***"],"card":"4111111111111111"}"#)
    for wrong in ["[]", "{\"name\":[]}", "{\"names\":[1]}", "{\"mask\":\"\"}", "{"] {
      #expect(throws: HARError.self) { try MaskRules(json: Array(wrong.utf8), file: "r") }
    }
    let own = try MaskRules(json: Array(#"{"usual":false,"headers":["X-A"]}"#.utf8), file: "r")
    #expect(own.names.isEmpty && own.headers == ["x-a"])
  }
}
