import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("The forms of alerts") struct AlertFormTests {
  private let message = AlertMessage(
    kind: .entered, time: 1_700_000_000, rule: "r", name: "Crashes <&>", app: "key", appName: "shop", condition: "new",
    subjects: [.init(id: "7", title: "KeyError: 'x'", value: "3", url: "https://console.example.com/issues/7")],
    count: 12)
  private let english = Catalogue(language: .english)

  private func call(_ form: AlertForm, _ secret: String?, _ catalogue: Catalogue? = nil) -> AlertForm.Call {
    let target = AlertTarget(webhook: "https://hooks.example.com/x", form: form.rawValue, secret: secret)
    return form.call(message, target, id: "msg_1", at: 1_700_000_000, catalogue ?? english)
  }

  private func json(_ call: AlertForm.Call) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(call.body)) as? [String: Any])
  }

  @Test("our own is signed as Standard Webhooks has it")
  func own() throws {
    // The example of the specification: key, id, time and body give this signature.
    let body = Array(#"{"test": 2432232314}"#.utf8)
    let headers = WebhookSignature.headers(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: 1_614_265_330, body, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    #expect(headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    let call = call(.json, WebhookSignature.freshSecret())
    #expect(call.headers["webhook-id"] == "msg_1" && call.headers["webhook-timestamp"] == "1700000000")
    let object = try json(call)
    #expect(object["kind"] as? String == "entered" && object["app_name"] as? String == "shop")
    #expect((object["text"] as? String)?.contains("12 new issues") == true)
  }

  @Test("Feishu's has the moment and the signature in the body, DingTalk's in the address, Slack's escapes its signs")
  func robots() throws {
    let feishu = try json(call(.feishu, "key"))
    #expect(feishu["msg_type"] as? String == "text" && feishu["timestamp"] as? String == "1700000000")
    #expect(feishu["sign"] as? String == "q6Oev4Wrs23QSZVkmQVsgFJ6N6asqz82R5NA5r3kxD0=")
    let ding = call(.dingtalk, "key")
    #expect(ding.url.hasPrefix("https://hooks.example.com/x?timestamp=1700000000000&sign="))
    #expect(try json(ding)["msgtype"] as? String == "text")
    #expect(call(.dingtalk, nil).url == "https://hooks.example.com/x")
    let slack = try #require(try json(call(.slack, nil))["text"] as? String)
    #expect(slack.contains("Crashes &lt;&amp;&gt;"))
  }

  @Test("are told by the hosts of their services, and their refusals by the bodies of answers")
  func services() {
    #expect(AlertForm.usual(for: "open.feishu.cn") == .feishu)
    #expect(AlertForm.usual(for: "oapi.dingtalk.com") == .dingtalk)
    #expect(AlertForm.usual(for: "hooks.slack.com") == .slack)
    #expect(AlertForm.usual(for: "example.com") == .json)
    #expect(AlertForm.feishu.refusal(Array(#"{"code":19021,"msg":"sign match fail"}"#.utf8)) == "19021 sign match fail")
    #expect(AlertForm.feishu.refusal(Array(#"{"StatusCode":0}"#.utf8)) == nil)
    #expect(AlertForm.dingtalk.refusal(Array(#"{"errcode":310000,"errmsg":"x"}"#.utf8)) == "310000 x")
    #expect(AlertForm.feishu.refusal(Array(#"{"code":1e300,"msg":"x"}"#.utf8)) == "1e+300 x")
    #expect(AlertForm.json.refusal(Array(#"{"code":5}"#.utf8)) == nil)
    #expect(AlertForm.feishu.refusal(Array("<html>".utf8)) == nil)
  }

  @Test("has the words of either language, and of no more things than it says")
  func words() {
    let chinese = AlertText(message, Catalogue(language: .simplifiedChinese)).plain
    #expect(chinese.contains("新问题 12 个") && chinese.contains("以及其他 11 项"))
    #expect(AlertText(message, english).plain.contains("and 11 more"))
  }

  @Test("a mail has one line for each header, whatever its title, and its words in UTF-8")
  func mail() throws {
    let mail = MailMessage(
      from: "console@example.com", to: "a@example.com",
      subject: "崩溃\r\nBcc: x@example.com " + String(repeating: "长", count: 60), text: "第一行\n第二行", id: "id1",
      time: 1_700_000_000)
    let text = String(decoding: mail.bytes, as: UTF8.self)
    let head = text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
    #expect(head.allSatisfy { $0.utf8.count <= 90 && ($0.hasPrefix(" ") || $0.contains(": ")) })
    #expect(!head.contains { $0.hasPrefix("Bcc") })
    #expect(head.contains("Date: Tue, 14 Nov 2023 22:13:20 +0000"))
    let body = text.components(separatedBy: "\r\n\r\n")[1].replacingOccurrences(of: "\r\n", with: "")
    #expect(Data(base64Encoded: body).map { String(decoding: $0, as: UTF8.self) } == "第一行\r\n第二行")
  }
}
