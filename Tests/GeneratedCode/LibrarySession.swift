import Foundation
import MPaaSFramework
import Synchronization

// The session that a test runs with the code generated for Examples/Scaffold/library.json.

func expect(_ condition: Bool, _ what: String, line: Int = #line) {
  if !condition {
    print("line \(line): \(what)")
    exit(1)
  }
}

/// Answers as the library's server would, and keeps what it was asked.
final class Server: Sendable {
  typealias Request = MessageTransport.Request
  typealias Response = MessageTransport.Response
  let requests = Mutex<[Request]>([])
  let answer: @Sendable (Request) async throws -> Response

  init(_ answer: @escaping @Sendable (Request) async throws -> Response) { self.answer = answer }

  convenience init(_ json: String, status: Int = 200) {
    self.init { _ in Response(status: status, body: Array(json.utf8)) }
  }

  var transport: MessageTransport {
    MessageTransport { [self] request in
      requests.withLock { $0.append(request) }
      return try await answer(request)
    }
  }

  var last: Request { requests.withLock { $0.last } ?? Request(url: "") }
  var body: String { String(decoding: last.body, as: UTF8.self) }

  func queue(_ environment: AppEnvironment = .release) throws -> MessageQueue {
    let queue = MessageQueue()
    try queue.attach(LibraryAPI(environment: environment, transport: transport))
    return queue
  }
}

let book =
  #"{"id": 7, "title": "Solaris", "author": null, "rating": 4, "sequel": {"id": 8, "title": "Fiasco"}, "new": 1}"#

func failure(_ work: () async throws -> Void) async -> FrameworkError? {
  do {
    try await work()
    return nil
  } catch {
    guard let error = error as? FrameworkError else { return nil }
    return error.underlying as? FrameworkError ?? error
  }
}

// A query, header fields and an answer.
let list = Server("{\"total\": 1, \"books\": [\(book)]}")
let request = BooksRequest(query: "a&b ü", sort: .newest, page: 2, tags: ["x", "y"])
let page = try await list.queue().send(Books.self, .init(xSession: "s1", request: request))
expect(page.total == 1 && page.books.first?.sequel?.title == "Fiasco", "the answer: \(page)")
expect(page.books.first?.rating == 4 && page.books.first?.author == nil, "numbers and null")
expect(
  list.last.url == "https://library.example/v2/books?query=a%26b%20%C3%BC&sort=newest&page=2&tags=x&tags=y",
  "the URL: \(list.last.url)")
expect(list.last.headers["X-Session"] == "s1" && list.last.headers["Accept-Language"] == nil, "header fields")
expect(list.last.method == "GET" && list.last.body.isEmpty, "GET has no body")

// A path, a body and another environment.
let loans = Server("{\"id\": 1, \"book\": \(book), \"state\": 1}")
let loan = try await loans.queue(.test).send(
  PostBooksIdLoans.self, .init(id: 7, xSession: "s1", request: .init(days: 28)))
expect(loan.state == .lent && loan.book.title == "Solaris", "the loan: \(loan)")
expect(loans.last.url == "https://test.library.example/v2/books/7/loans", "the URL: \(loans.last.url)")
expect(loans.body == #"{"days":28}"# && loans.last.headers["Content-Type"] == "application/json", loans.body)

// Text in a path is encoded; an empty one is refused before anything is sent.
let shelf = Server("[\(book)]")
let books = try await shelf.queue().send(GetShelvesNameBooks.self, .init(name: "a/b c", xSession: "s"))
expect(books.value.count == 1 && shelf.last.url.hasSuffix("/shelves/a%2Fb%20c/books"), shelf.last.url)
let empty = await failure { _ = try await shelf.queue().send(GetShelvesNameBooks.self, .init(name: "", xSession: "s")) }
expect(empty?.code == .callParameterUnfit && empty?.values["call"] == "GET /shelves/:name/books", "\(empty as Any)")
let above = await failure {
  _ = try await shelf.queue().send(GetShelvesNameBooks.self, .init(name: "..", xSession: "s"))
}
expect(above?.code == .callParameterUnfit && above?.values["value"] == "..", "\(above as Any)")
let broken = await failure {
  _ = try await shelf.queue().send(GetShelvesNameBooks.self, .init(name: "a", xSession: "a\r\nb: c"))
}
expect(broken?.code == .callHeaderMalformed && shelf.requests.withLock { $0.count } == 1, "\(broken as Any)")

// A file beside the fields of a request.
let picture = Server(#"{"url": "https://library.example/p/1.jpg"}"#)
_ = try await picture.queue().send(
  SetPicture.self, .init(member: "ann", xSession: "s", picture: .jpeg([1, 2, 3]), request: .init(caption: "Lake")))
expect(picture.last.headers["Content-Type"] == "multipart/form-data; boundary=mpaas-part-0", "\(picture.last.headers)")
expect(picture.body.contains("name=\"json\"") && picture.body.contains(#"{"caption":"Lake"}"#), picture.body)
let part = "name=\"picture\"; filename=\"image.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n\u{1}\u{2}\u{3}\r\n"
expect(picture.body.contains(part), picture.body)

// Nothing is answered.
try await Server("", status: 204).queue().send(DeleteLoansId.self, .init(id: 1, xSession: "s"))

// Errors name the call.
let refused = await failure {
  _ = try await Server(#"{"error": "gone"}"#, status: 410).queue().send(GetBooksId.self, .init(id: 1, xSession: "s"))
}
expect(refused?.code == .callRefused && refused?.values["status"] == "410", "\(refused as Any)")
expect((refused?.underlying as? CallRefusal)?.response.body == Array(#"{"error": "gone"}"#.utf8), "the refusal's body")
expect("\(refused as Any)".contains("GET /books/:id"), "\(refused as Any)")
let wrong = await failure {
  _ = try await Server(#"{"id": "7", "title": "x"}"#).queue().send(GetBooksId.self, .init(id: 1, xSession: "s"))
}
expect(wrong?.code == .callAnswerMalformed && "\(wrong as Any)".contains("/id: must be an integer"), "\(wrong as Any)")
let unread = await failure {
  _ = try await Server("<html>").queue().send(GetBooksId.self, .init(id: 1, xSession: "s"))
}
expect(unread?.code == .callAnswerMalformed, "\(unread as Any)")
struct Offline: Error {}
let offline = await failure {
  _ = try await Server { _ in throw Offline() }.queue().send(GetBooksId.self, .init(id: 1, xSession: "s"))
}
expect(offline?.code == .callUnanswered && offline?.underlying is Offline, "\(offline as Any)")
let nowhere = await failure { _ = try LibraryAPI(environment: .staging, transport: list.transport) }
expect(nowhere?.code == .callServerUnknown, "\(nowhere as Any)")

// Cancelling the message ends the request.
let slow = Server { _ in
  try await Task.sleep(for: .seconds(600))
  return .init(status: 200)
}
let queue = try slow.queue()
let handle = try queue.post(GetBooksId.self, .init(id: 1, xSession: "s"))
while slow.requests.withLock({ $0.isEmpty }) { await Task.yield() }
expect(handle.cancel(), "it was on its way")
let cancelled = await failure { _ = try await handle.output }
expect(cancelled?.code == .messageCancelled && handle.state == .cancelled, "\(cancelled as Any)")
print("all is well")
