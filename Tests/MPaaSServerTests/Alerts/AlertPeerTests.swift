import Foundation
import MPaaSTestSupport
import MPaaSTransfer
import MPaaSTransferTools
import Testing

@testable import MPaaSServer

/// Programs of others that take what alerts send.
@Suite("Alerts reach others' programs", .alertPeers) struct AlertPeerTests {
  /// A server for one mail, which it has by STARTTLS alone, and prints.
  private static let mailServer = """
    import asyncio, datetime, ipaddress, json, os, ssl, sys
    from aiosmtpd.smtp import SMTP
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    folder = sys.argv[1]
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "double")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True).sign(key, hashes.SHA256()))
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    with open(folder + "/ca.pem", "wb") as file: file.write(pem)
    with open(folder + "/key.pem", "wb") as file:
        file.write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder + "/ca.pem", folder + "/key.pem")
    async def main():
        taken = asyncio.get_running_loop().create_future()
        class Handler:
            async def handle_DATA(self, server, session, envelope):
                mail = {"from": envelope.mail_from, "to": envelope.rcpt_tos, "tls": session.ssl is not None,
                    "data": envelope.content.decode("ascii")}
                taken.get_loop().call_soon(lambda: taken.done() or taken.set_result(mail))
                return "250 OK"
        server = await asyncio.get_running_loop().create_server(
            lambda: SMTP(Handler(), hostname="double", tls_context=context, require_starttls=True), "127.0.0.1", 0)
        with open(folder + "/port.new", "w") as file: file.write(str(server.sockets[0].getsockname()[1]))
        os.rename(folder + "/port.new", folder + "/port")
        print(json.dumps(await taken))
    asyncio.run(main())
    """

  @Test("a mail comes by STARTTLS, in words and headers of UTF-8, and none without a certificate that is trusted")
  func mail() async throws {
    let folder = try TemporaryFolder()
    async let output = PythonClient.run(Self.mailServer, [folder.path])
    var port: String?
    while port == nil {
      try await Task.sleep(for: .milliseconds(20))
      port = try? String(contentsOfFile: folder.path + "/port", encoding: .utf8)
    }
    let message = MailMessage(
      from: "console@example.com", to: "team@example.com", subject: "崩溃", text: "第一行\n第二行", id: "id1", time: 1)
    var server = MailServer("smtp://127.0.0.1:\(port ?? "")")
    let untrusted = server
    let error = await #expect(throws: HTTPError.self) {
      try await TestConnection.elsewhere {
        try untrusted.send(message.bytes, from: "console@example.com", to: ["team@example.com"])
      }
    }
    #expect(error?.code == .notTrusted)
    server.certificates = folder.path + "/ca.pem"
    let trusted = server
    try await TestConnection.elsewhere {
      try trusted.send(message.bytes, from: "console@example.com", to: ["team@example.com"])
    }
    let mail = try #require(try JSONSerialization.jsonObject(with: Data(try await output.utf8)) as? [String: Any])
    #expect(mail["tls"] as? Bool == true && mail["to"] as? [String] == ["team@example.com"])
    #expect((mail["data"] as? String)?.contains("Subject: =?utf-8?B?5bSp5rqD?=\r\n") == true)
  }

  @Test("a library of Standard Webhooks verifies the signature")
  func signature() async throws {
    let secret = WebhookSignature.freshSecret()
    let body = #"{"kind":"test"}"#
    let time = Int64(Date().timeIntervalSince1970)
    let headers = WebhookSignature.headers(id: "msg_1", time: time, Array(body.utf8), secret: secret)
    let json = String(decoding: try JSONSerialization.data(withJSONObject: headers), as: UTF8.self)
    let output = try await PythonClient.run(
      """
      import json, sys
      from standardwebhooks import Webhook
      print(Webhook(sys.argv[1]).verify(sys.argv[2], json.loads(sys.argv[3]))["kind"])
      """, [secret, body, json])
    #expect(output == "test\n")
  }
}

extension Trait where Self == ConditionTrait {
  /// Servers and libraries of others that take alerts.
  fileprivate static var alertPeers: Self {
    .enabled(
      if: (try? Command.run(Fixture.python, ["-c", "import aiosmtpd, standardwebhooks"]))?.status == 0,
      "aiosmtpd and standardwebhooks are not installed: run scripts/bootstrap --peers")
  }
}
