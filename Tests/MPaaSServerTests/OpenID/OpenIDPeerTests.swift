import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// An issuer of others, which people log in to by a page.
@Suite("Logins by an issuer of others", .openIDPeer) struct OpenIDPeerTests {
  /// A browser without cookies of its own: each step says what it saw.
  private static let browser = """
    import json, re, sys, urllib.error, urllib.parse, urllib.request
    console, subject = sys.argv[1], sys.argv[2]
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *all): return None
    opener = urllib.request.build_opener(Stay, urllib.request.ProxyHandler({}))
    def ask(url, data=None, cookie=None, headers={}):
        request = urllib.request.Request(url, data=data, headers=dict(headers))
        if cookie: request.add_header("Cookie", cookie)
        try: return opener.open(request, timeout=60)
        except urllib.error.HTTPError as error: return error
    def cookies(answer):
        pairs = [value.split(";")[0].split("=", 1) for value in answer.headers.get_all("Set-Cookie", [])]
        return {name: value for name, value in pairs if value}
    page = ask(console + "/login").read().decode()
    link = re.search(r'href="(/login/oidc)"', page).group(1)
    began = ask(console + link)
    state = cookies(began)
    place = began.headers["Location"]
    form = ask(place).read().decode()
    if subject == "deny": body = {"action": "deny"}
    else: body = {"sub": subject}
    back = ask(place, urllib.parse.urlencode(body).encode())
    address = back.headers["Location"]
    cookie = "; ".join(f"{name}={value}" for name, value in state.items())
    stranger = ask(address)
    entered = ask(address, cookie=cookie)
    text = entered.read().decode()
    session = cookies(entered)
    cookie2 = "; ".join(f"{name}={value}" for name, value in session.items())
    account = ask(console + "/account", cookie=cookie2) if session else None
    people = ask(console + "/people", cookie=cookie2) if session else None
    again = ask(address, cookie=cookie)
    print(json.dumps({
        "begun": began.status, "form": len(form) > 0, "back": back.status, "stranger": stranger.status,
        "entered": entered.status, "text": text, "refresh": entered.headers["Refresh"],
        "account": account.read().decode() if account else None, "people": people.status if people else None,
        "again": again.status}))
    """

  private static func claims(_ subject: String, _ more: String) -> [String] {
    ["--user-claims", #"{"sub":"\#(subject)",\#(more)}"#]
  }

  /// The issuer as a process of its own, which ends with its owner.
  private final class Issuer {
    private let process = Process()
    let url: String

    init(_ arguments: [String]) throws {
      // The issuer tells no port that it chooses itself.
      let free = "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"
      let port = try Command.run(Fixture.python, ["-c", free]).output.filter(\.isNumber)
      url = "http://127.0.0.1:\(port)"
      process.executableURL = URL(filePath: Fixture.python)
      process.arguments = ["-m", "oidc_provider_mock", "--port", "\(port)", "--require-nonce"] + arguments
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      let process = process
      try withNoSignalsBlocked { try process.run() }
    }

    func isReady() async throws -> Bool {
      for _ in 0..<600 {
        let port = UInt16(url.split(separator: ":").last ?? "") ?? 0
        if (try? TestConnection(port)) != nil { return true }
        try await Task.sleep(for: .milliseconds(100))
      }
      return false
    }

    deinit {
      kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
    }
  }

  @Test("give the role of the groups, once, and to the browser that began them")
  func login() async throws {
    let issuer = try Issuer(
      Self.claims("ann-1", #""preferred_username":"ann","email":"ann@example.com","groups":["devs","admins"]"#)
        + Self.claims("bob-1", #""preferred_username":"bob","groups":["devs"]"#)
        + Self.claims("eve-1", #""preferred_username":"eve","groups":["others"]"#))
    #expect(try await issuer.isReady())
    let folder = try TemporaryFolder()
    let settings: JSONValue = [
      "issuer": .string(issuer.url), "client_id": "console", "client_secret_file": "secret", "name": "Example",
      "roles": ["admins": "admin", "devs": "member"],
    ]
    try Data("any\n".utf8).write(to: folder.url.appending(path: "secret"))
    let file = folder.path + "/oidc.json"
    try Data(settings.line.utf8).write(to: URL(filePath: file))
    let server = try await TestServer(in: folder) { $0.oidc = file }
    func browse(_ subject: String) async throws -> [String: Any] {
      let output = try await PythonClient.run(Self.browser, [server.run.ready.url, subject])
      server.services.logins.succeed("127.0.0.1")
      return try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
    }
    let ann = try await browse("ann-1")
    #expect(ann["begun"] as? Int == 303 && ann["back"] as? Int == 302 && ann["stranger"] as? Int == 400, "\(ann)")
    #expect(ann["entered"] as? Int == 200 && ann["refresh"] as? String == "0; url=/", "\(ann)")
    #expect((ann["account"] as? String)?.contains("<b>ann</b>") == true && ann["people"] as? Int == 200, "\(ann)")
    #expect(ann["again"] as? Int == 400)
    let bob = try await browse("bob-1")
    #expect(bob["entered"] as? Int == 200 && bob["people"] as? Int == 403, "\(bob)")
    let eve = try await browse("eve-1")
    #expect(eve["entered"] as? Int == 403 && (eve["text"] as? String)?.contains("eve has no role") == true, "\(eve)")
    let denied = try await browse("deny")
    #expect(denied["entered"] as? Int == 403 || denied["entered"] as? Int == 400, "\(denied)")
    let people = try await server.services.store.read { try PeopleStore.people(in: $0) }
    #expect(people.map(\.name) == ["ann", "bob"] && people.map(\.role) == ["admin", "member"])
    #expect(people.map(\.subject) == ["\(issuer.url) ann-1", "\(issuer.url) bob-1"])
    await server.end()
  }
}

extension Trait where Self == ConditionTrait {
  /// An issuer of others, in Python.
  fileprivate static var openIDPeer: Self {
    .enabled(
      if: (try? Command.run(Fixture.python, ["-c", "import oidc_provider_mock"]))?.status == 0,
      "oidc-provider-mock is not installed: run scripts/bootstrap --peers")
  }
}
