import Foundation
import MPaaSTestSupport
import Testing

/// A `mpaas serve` of a test's own that has flags, and commands that change them.
final class ServedFlags {
  let home: TemporaryFolder
  let program: RunningProgram
  let url: String
  let token: String

  /// - Parameter approvals: The approvals that a change needs.
  init(approvals: Int = 0) throws {
    home = try TemporaryFolder()
    let serve = ["serve", "--data", home.path + "/server", "--listen", "127.0.0.1:0", "--json"]
    program = try RunningProgram(
      Command.mpaas.path, serve + (approvals > 0 ? ["--approvals", "\(approvals)"] : []),
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
    let ready = try json(program.line)
    url = try #require(ready["url"] as? String)
    token = try #require(ready["token"] as? String)
  }

  var environment: [String: String] { ["MPAAS_SERVER_URL": url, "MPAAS_TOKEN": token] }

  /// Calls `mpaas flags`; of another's where a token is named.
  func flags(_ arguments: String..., token: String? = nil) throws -> Command.Outcome {
    let other = token.map { ["MPAAS_TOKEN": $0] } ?? [:]
    return try mpaas(["flags"] + arguments, home: home, environment: environment.merging(other) { $1 })
  }

  /// The answer to a call that must do what is asked.
  func done(_ arguments: String..., token: String? = nil) throws -> [String: Any] {
    let other = token.map { ["MPAAS_TOKEN": $0] } ?? [:]
    let outcome = try mpaas(
      ["flags"] + arguments + ["--json"], home: home, environment: environment.merging(other) { $1 })
    try #require(outcome.status == 0, "\(arguments): \(outcome)")
    return try json(outcome.output)
  }

  /// A token of somebody else who may change flags.
  func token(of name: String) throws -> String {
    let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    let body = #"{"name":"\#(name)","scopes":["flags","read"]}"#
    let head = [
      "POST /api/v1/tokens HTTP/1.1", "Host: a", "Connection: close", "Authorization: Bearer \(token)",
      "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
    ]
    let answer = try RawAnswer.exchange(port, Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    try #require(answer.status == 201, "\(answer.body)")
    return try #require(try json(answer.body)["token"] as? String)
  }

  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: home.url.appending(path: name))
    return home.path + "/" + name
  }
}
