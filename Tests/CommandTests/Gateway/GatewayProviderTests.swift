import Foundation
import MPaaSTestSupport
import Testing

/// A contract verified against a provider that shares nothing with the kit: Python's server, which speaks HTTP/1.0.
@Suite("mpaas gateway verify and a provider of another kind", .tool("python3")) struct GatewayProviderTests {
  private static let provider = #"""
    import gzip, json
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    from urllib.parse import parse_qs, unquote, urlsplit

    items, changes = set(), []

    class Provider(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def body(self):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))

        def answer(self, status, body=None, headers=()):
            self.send_response(status)
            for name, value in headers or [("Content-Type", "application/json; charset=utf-8")]:
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD" and body is not None:
                self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

        def state(self, change):
            changes.append(change["action"])
            if change["action"] == "teardown":
                items.clear()
            elif change["state"] == "broken":
                return self.answer(500, {"error": "no"})
            elif change["state"] == "an item":
                number = change["params"].get("id", 7)
                items.update((number, number + 1000))
                return self.answer(200, {"id": number + 1000})
            self.answer(204)

        def item(self, key, query):
            if key.isdigit() and int(key) in items:
                if self.command == "DELETE":
                    return self.answer(204)
                full = query.get("full") == ["true"]
                cookies = [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("Content-Type", "application/json")]
                return self.answer(200, {"id": int(key), "name": "tea", "tags": ["a", "b"], "full": full}, cookies)
            if key == "茶":
                return self.answer(200, {"id": 1})
            if key == "old":
                return self.answer(302, None, [("Location", "/items/7")])
            self.answer(404, {"error": "none"})

        def handle_all(self):
            url = urlsplit(self.path)
            path, query = unquote(url.path), parse_qs(url.query)
            if path == "/_state":
                self.state(json.loads(self.body()))
            elif path == "/_changes":
                self.answer(200, {"changes": changes})
            elif path == "/_message":
                asked = json.loads(self.body())["description"]
                metadata = ("Pact-Message-Metadata", "eyJ0b3BpYyI6InNhbGVzIn0=")
                sold = 3 if asked == "a sale" else "x"
                self.answer(200, {"sold": sold}, [("Content-Type", "application/json"), metadata])
            elif path.startswith("/items/"):
                self.item(path.rsplit("/", 1)[1], query)
            elif path == "/items" and self.command == "POST":
                if self.headers.get_content_type() != "application/json":
                    return self.answer(415)
                self.answer(201, {"id": 8, "name": json.loads(self.body())["name"]})
            elif path == "/form":
                self.answer(200, parse_qs(self.body().decode()))
            elif path == "/image":
                self.answer(200, b"\x89PNG\r\n\x1a\n\0\0", [("Content-Type", "image/png")])
            elif path == "/xml":
                self.answer(200, b"<a><b id='1'>x</b></a>", [("Content-Type", "application/xml")])
            else:
                self.answer(404)

        do_GET = do_POST = do_DELETE = do_HEAD = handle_all

    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    print(json.dumps({"url": "http://127.0.0.1:%d" % server.server_port}), flush=True)
    server.serve_forever()
    """#

  /// An interaction of version 4 with a JSON body where one is given.
  private static func interaction(
    _ name: String, _ request: String, _ response: String, state: String? = nil, id: Int? = nil, pending: Bool = false
  ) -> String {
    let parameters = id.map { #", "params": {"id": \#($0)}"# } ?? ""
    let states = state.map { #""providerStates": [{"name": "\#($0)"\#(parameters)}], "# } ?? ""
    return #"{"type": "Synchronous/HTTP", "description": "\#(name)", \#(states)"pending": \#(pending), "#
      + #""request": {\#(request)}, "response": {\#(response)}}"#
  }

  private static func content(_ content: String) -> String {
    #""body": {"contentType": "application/json", "content": \#(content)}"#
  }

  private static func contract(_ interactions: [String]) -> String {
    #"{"consumer": {"name": "shop"}, "provider": {"name": "stock"}, "interactions": [\#(interactions.joined(separator: ","))],"#
      + #" "metadata": {"pactSpecification": {"version": "4.0"}}}"#
  }

  private static let kept = [
    interaction(
      "an item", #""path": "/items/7", "query": {"full": ["true"]}"#,
      #""status": 200, "headers": {"Set-Cookie": ["a=1", "b=2"]}, "#
        + content(#"{"id": 7, "name": "x", "tags": ["q"], "full": true}"#)
        + #", "matchingRules": {"body": {"$.name": {"matchers": [{"match": "type"}]}, "#
        + #""$.tags": {"matchers": [{"match": "type", "min": 1}]}}}"#, state: "an item", id: 7),
    interaction(
      "an item of the state's",
      #""path": "/items/1", "generators": {"path": {"type": "ProviderState", "expression": "/items/${id}"}}"#,
      #""status": 200, "# + content(#"{"id": 1}"#)
        + #", "matchingRules": {"body": {"$.id": {"matchers": [{"match": "integer"}]}}}"#, state: "an item", id: 9),
    interaction("no item", #""path": "/items/99""#, #""status": 404, "# + content(#"{"error": "none"}"#)),
    interaction("a name in Chinese", #""path": "/items/茶""#, #""status": 200, "# + content(#"{"id": 1}"#)),
    interaction("a redirection", #""path": "/items/old""#, #""status": 302, "headers": {"Location": ["/items/7"]}"#),
    interaction(
      "a new item", #""method": "POST", "path": "/items", "# + content(#"{"name": "milk"}"#),
      #""status": 201, "# + content(#"{"id": 8, "name": "milk"}"#)),
    interaction(
      "a form",
      #""method": "POST", "path": "/form", "body": {"contentType": "application/x-www-form-urlencoded", "content": "a=1&b=%20x"}"#,
      #""status": 200, "# + content(#"{"a": ["1"], "b": [" x"]}"#)),
    interaction("a deletion", #""method": "DELETE", "path": "/items/7""#, #""status": 204"#, state: "an item"),
    interaction("a head", #""method": "HEAD", "path": "/items/7""#, #""status": 200"#, state: "an item"),
    interaction(
      "a picture", #""path": "/image""#,
      #""status": 200, "body": {"contentType": "image/png", "encoded": "base64", "content": "iVBORw0KGgoAAA=="}"#),
    interaction(
      "a document", #""path": "/xml""#,
      #""status": 200, "body": {"contentType": "application/xml", "content": "<a><b id=\"1\">x</b></a>"}"#),
    #"{"type": "Asynchronous/Messages", "description": "a sale", "metadata": {"topic": "sales"}, "contents": "#
      + #"{"contentType": "application/json", "content": {"sold": 1}}, "matchingRules": {"body": {"$.sold": "#
      + #"{"matchers": [{"match": "integer"}]}}}}"#,
    interaction("nothing", #""path": "/nowhere""#, #""status": 200"#, pending: true),
    interaction("a broken state", #""path": "/xml""#, #""status": 200"#, state: "broken", pending: true),
  ]

  private static let broken = [
    interaction("a wrong status", #""path": "/items/99""#, #""status": 200"#),
    interaction("a wrong body", #""path": "/xml""#, #""status": 200, "# + content(#"{"a": 1}"#)),
    interaction("a missing header", #""path": "/xml""#, #""status": 200, "headers": {"X-Rate": ["1"]}"#),
    interaction("a broken state", #""path": "/xml""#, #""status": 200"#, state: "broken"),
  ]

  @Test("passes what holds, tells what is pending, and fails the rest one by one")
  func verify() throws {
    let folder = try TemporaryFolder()
    func write(_ text: String, _ name: String) throws -> String {
      try Data(text.utf8).write(to: URL(filePath: folder.path + "/" + name))
      return folder.path + "/" + name
    }
    let python = try #require(Command.find("python3"))
    let provider = try RunningProgram(python, [write(Self.provider, "provider.py")], environment: [:])
    let url = try #require(try json(provider.line)["url"] as? String)
    let options = [
      "--provider", url, "--state-url", url + "/_state", "--state-teardown", "--message-url", url + "/_message",
      "--json",
    ]
    let good = try mpaas(["gateway", "verify", write(Self.contract(Self.kept), "kept.json")] + options)
    let outcomes = try #require(try json(good.output)["interactions"] as? [[String: Any]])
    let passed = outcomes.filter { $0["outcome"] as? String == "passed" }.count
    #expect(passed == Self.kept.count - 2, "\(good.output)")
    #expect(outcomes.suffix(2).allSatisfy { $0["outcome"] as? String == "pending" } && good.status == 0)
    let bad = try mpaas(["gateway", "verify", write(Self.contract(Self.broken), "broken.json")] + options)
    let failures = try #require(try json(bad.output)["interactions"] as? [[String: Any]])
    #expect(failures.allSatisfy { $0["outcome"] as? String == "failed" } && bad.status == 1)
    let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    let asked = Array("GET /_changes HTTP/1.0\r\n\r\n".utf8)
    let changes = try json(try RawAnswer.exchange(port, asked).body)["changes"] as? [String]
    // A state that cannot be had is not left again.
    let setups = try #require(changes).filter { $0 == "setup" }.count
    let teardowns = try #require(changes).filter { $0 == "teardown" }.count
    #expect(setups == teardowns + 2)
  }
}
