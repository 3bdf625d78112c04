import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas serve") struct ServeTests {
  private func serve(_ home: TemporaryFolder, _ arguments: String...) throws -> RunningProgram {
    try RunningProgram(
      Command.mpaas.path, ["serve", "--listen", "127.0.0.1:0", "--json"] + arguments,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
  }

  @Test("is ready with one line of JSON, answers, and ends with status 0")
  func ready() throws {
    let home = try TemporaryFolder()
    let program = try serve(home)
    let ready = try json(program.line)
    let url = try #require(ready["url"] as? String)
    #expect(ready["uploads"] as? String == url + "/uploads")
    #expect(ready["crashes"] as? String == url + "/api/v1/crashes")
    let key = try #require(ready["app_key"] as? String), token = try #require(ready["token"] as? String)
    #expect(ready["dsn"] as? String == url.replacing("http://", with: "http://\(key)@") + "/1")
    let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    let health = try RawAnswer.exchange(
      port, Array("GET /health HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\nConnection: close\r\n\r\n".utf8)
    )
    #expect(health.status == 200)
    #expect(program.end(SIGTERM) == 0)
    #expect(FileManager.default.fileExists(atPath: home.path + "/data/server/mpaas.sqlite"))
  }

  @Test("refuses a folder in use, bad limits and places, a certificate without its key, and a missing program")
  func refusals() throws {
    let home = try TemporaryFolder()
    let program = try serve(home)
    #expect(try mpaas(["serve", "--listen", "127.0.0.1:0"], home: home).status == 75)
    let limit = try mpaas(["serve", "--limit", "speed=1"], home: home)
    #expect(limit.status == 64)
    #expect(limit.errors.contains("least-rate"))
    #expect(try mpaas(["serve", "--certificate", "a.pem"], home: home).status == 64)
    #expect(try mpaas(["serve", "--database", "mysql:x"], home: home).status == 64)
    for blobs in ["ftp://a/b", "folder:", "s3://", "s3://shop?endpoint=http://key:secret@host"] {
      let refused = try mpaas(["serve", "--blobs", blobs], home: home)
      #expect(refused.status == 64 && refused.errors.contains("no place for blobs"), "\(blobs)")
    }
    // A key that is missing is found by the server.
    let keyless = try mpaas(
      ["serve", "--data", home.path + "/other", "--blobs", "s3://shop/a"], home: home,
      environment: ["AWS_ACCESS_KEY_ID": ""])
    #expect(keyless.status == 78 && keyless.errors.contains("AWS_ACCESS_KEY_ID"), "\(keyless.errors)")
    // So is a file about an issuer that cannot be used.
    let file = home.path + "/oidc.json"
    try Data(#"{"issuer":"http://id.example.com","client_id":"mpaas","default_role":"reader"}"#.utf8)
      .write(to: URL(filePath: file))
    let issuer = try mpaas(["serve", "--data", home.path + "/other", "--oidc", file], home: home)
    #expect(issuer.status == 78 && issuer.errors.contains("oidc.json: issuer"), "\(issuer.errors)")
    let missing = try mpaas(["serve"], home: home, environment: ["MPAAS_SERVER": "/nowhere/mpaas-server"])
    #expect(missing.status == 66)
    #expect(missing.errors.contains("/nowhere/mpaas-server"))
    #expect(program.end(SIGINT) == 0)
  }
}
