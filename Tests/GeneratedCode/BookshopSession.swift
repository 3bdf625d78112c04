// A client and a server of Examples/OpenAPI/bookshop.yaml, generated, and calls between them.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Hands what a client sends to a server, and keeps it.
final class Memory: APITransport, @unchecked Sendable {
  let answer: @Sendable (APIRequest) async throws -> APIResponse
  var last: APIRequest?

  init(_ answer: @escaping @Sendable (APIRequest) async throws -> APIResponse) { self.answer = answer }

  func send(_ request: APIRequest) async throws -> APIResponse {
    last = request
    var received = request
    // A server sees the path behind the host, and knows no names of operations.
    received.path = String(request.server.dropFirst("https://api.bookshop.example".count)) + request.path
    (received.server, received.operation, received.pathValues) = ("", "", [:])
    return try await answer(received)
  }
}

struct Shop: BookshopServer {
  func authorize(_ credentials: [String: APICredential], for operation: APIOperation) async throws {
    guard credentials["customer"] == .token("key") else { throw APIFault(.unauthorized, "unknown customer") }
  }

  func listBooks(_ input: ListBooks.Input) async throws -> ListBooks.Output {
    let tags = (input.tags ?? []).joined(separator: "+")
    let words = [
      "\(input.limit)", input.sort.rawValue, tags, input.filter?.language ?? "",
      "\(input.filter?.pages?.from ?? 0)-\(input.filter?.pages?.to ?? 0)",
      (input.xTrace ?? []).map { "\($0)" }.joined(separator: "."), input.session ?? "",
    ]
    let money = Money(amount: 1, currency: "EUR")
    let book = Book(id: "1", title: words.joined(separator: " "), price: money)
    return .ok(ListBooks.Ok(xTotal: 7, body: [book]))
  }

  func addBook(_ input: AddBook.Input) async throws -> AddBook.Output {
    switch input.body {
    case .json(var book):
      book.id = "new"
      return .created(AddBook.Created(body: .json(book)))
    case .xml(var book):
      book.id = "x<1>"
      return .created(AddBook.Created(body: .xml(book)))
    case .multipart(let parts):
      var book = parts.book
      book.id = "\(parts.cover.name ?? "") \(parts.cover.bytes.count) \(parts.cover.contentType)"
      book.authors = parts.notes
      return .created(AddBook.Created(body: .json(book)))
    }
  }

  func getBook(_ input: GetBook.Input) async throws -> GetBook.Output {
    switch input.edition {
    case 1: .ok(GetBook.Ok(body: .plainText("text of \(input.id)")))
    case 2: .ok(GetBook.Ok(body: .binary([0, 255])))
    // Without the member that answers must have.
    case 3: .ok(GetBook.Ok(body: .json(Book(title: "A", price: Money(amount: 1, currency: "EUR")))))
    default: .notFound
    }
  }

  func placeOrder(_ input: PlaceOrder.Input) async throws -> PlaceOrder.Output {
    if input.body.book == "none" { return .otherwise(status: 409, .init(body: .init(detail: "sold out"))) }
    let text = [
      input.body.book, "\(input.body.copies ?? 0)", (input.body.gifts ?? []).joined(separator: ","),
      input.body.address?.city ?? "",
    ].joined(separator: "|")
    return .created(
      PlaceOrder.Created(body: Order(number: 1, payment: .card(Card(kind: "debit", digits: text)))))
  }
}

struct News: BookshopWebhooks {
  func newBook(_ input: NewBook.Input) async throws -> NewBook.Output { .noContent }
}

/// Counts what was not as it was expected.
@MainActor var failures = 0

@MainActor func expect(_ isTrue: Bool, _ what: String, line: Int = #line) {
  guard !isTrue else { return }
  failures += 1
  print("line \(line): \(what)")
}

func fault(_ work: @Sendable () async throws -> Void) async -> String {
  do {
    try await work()
    return "none"
  } catch {
    return "\(error)"
  }
}

@main @MainActor struct Session {
  static func main() async throws {
    try await run()
    // The samples of the description are values of their types.
    try Book.sample.validate()
    guard failures == 0 else { exit(1) }
    print("all is well")
  }

  static func run() async throws {
    let router = BookshopRouter(Shop())
    let memory = Memory { await router.respond(to: $0) }
    var client = BookshopClient(transport: memory, credentials: BookshopCredentials(customer: "key"))
    try await parameters(client, memory)
    try await bodies(client, memory)
    try await order(client, memory)
    try await directions(client, memory)
    client.credentials.customer = nil
    let unknown = client
    let input = AddBook.Input(body: .json(Book(title: "A", price: Money(amount: 1, currency: "EUR"))))
    let missing = await fault { _ = try await unknown.addBook(input) }
    expect(missing == "addBook needs credentials: customer", missing)
    client.credentials.customer = "other"
    let refused = try await client.addBook(input)
    guard case .clientError(status: 401, let refusal) = refused else { return expect(false, "\(refused)") }
    expect(refusal.body.detail == "unknown customer", "\(refusal)")
    try await others(memory, router)
  }

  static func parameters(_ client: BookshopClient, _ memory: Memory) async throws {
    let plain = try await client.listBooks().requireOk()
    expect(plain.xTotal == 7, "\(plain)")
    expect(plain.body[0].title == "20 title   0-0  ", plain.body[0].title)
    let input = ListBooks.Input(
      limit: 5, sort: .price, tags: ["a b", "c,d"], filter: .init(language: "fr", pages: .init(from: 1, to: 9)),
      xTrace: [3, 4], session: "s1")
    let page = try await client.listBooks(input).requireOk()
    expect(page.body[0].title == "5 price a b+c,d fr 1-9 3.4 s1", page.body[0].title)
    let query = memory.last?.query ?? ""
    let filter = "filter%5Blanguage%5D=fr&filter%5Bpages%5D%5Bfrom%5D=1&filter%5Bpages%5D%5Bto%5D=9"
    expect(query == "limit=5&sort=price&tags=a%20b%7Cc%2Cd&" + filter, query)
    // A server could not tell the two tags from three.
    let piped = await fault { _ = try await client.listBooks(.init(tags: ["a", "c|d"])) }
    expect(piped == "/tags: must not contain “|”, which stands between its values", piped)
    expect(memory.last?.header("X-Trace") == "3,4", "\(memory.last?.headers ?? [])")
    let tooMany = await fault { _ = try await client.listBooks(.init(limit: 101)) }
    expect(tooMany == "/limit: must be at most 100", tooMany)
    let language = await fault { _ = try await client.listBooks(.init(filter: .init(language: "French"))) }
    expect(language.hasPrefix("/filter/language: "), language)
    // A request that no client of ours would send.
    let answer = await BookshopRouter(Shop()).respond(to: APIRequest("GET", path: "/v1/books", query: "limit=x"))
    expect(answer.status == 400, "\(answer)")
    expect(String(decoding: answer.body, as: UTF8.self).contains("/limit: must be"), "\(answer.body)")
  }

  static func bodies(_ client: BookshopClient, _ memory: Memory) async throws {
    let book = Book(
      title: "Emma & <co>", price: Money(amount: 5, currency: "EUR"), class: "novel", authors: ["Jane", "A"])
    guard case .json(let json) = try await client.addBook(.init(body: .json(book))).requireCreated().body else {
      return expect(false, "no JSON")
    }
    expect(json.id == "new" && json.title == book.title && json.class == "novel", "\(json)")
    guard case .xml(let xml) = try await client.addBook(.init(body: .xml(book))).requireCreated().body else {
      return expect(false, "no XML")
    }
    expect(xml.id == "x<1>" && xml.title == book.title && xml.price == book.price, "\(xml)")
    expect(xml.authors == ["Jane", "A"], "\(xml)")
    let text = String(decoding: memory.last?.body ?? [], as: UTF8.self)
    expect(text.contains("<authors><author>Jane</author><author>A</author></authors>"), text)
    let parts = AddBook.MultipartParts(
      book: book, cover: APIFile([1, 2, 13, 10], name: "c.png", contentType: "image/png"), notes: ["one", "two"])
    guard case .json(let sent) = try await client.addBook(.init(body: .multipart(parts))).requireCreated().body else {
      return expect(false, "no parts")
    }
    expect(sent.id == "c.png 4 image/png" && sent.authors == ["one", "two"], "\(sent)")
    guard case .plainText(let plain) = try await client.getBook(.init(id: "a/b", edition: 1)).requireOk().body else {
      return expect(false, "no text")
    }
    expect(plain == "text of a/b", plain)
    expect(memory.last?.path == "/books/a%2Fb;edition=1", memory.last?.path ?? "")
    guard case .binary([0, 255]) = try await client.getBook(.init(id: "a", edition: 2)).requireOk().body else {
      return expect(false, "no bytes")
    }
    let none = try await client.getBook(.init(id: "a", edition: 9))
    expect(none == .notFound, "\(none)")
  }

  static func order(_ client: BookshopClient, _ memory: Memory) async throws {
    let call: any Placing = Placer()
    let body = PlaceOrderBody(book: "a&b", copies: 2, gifts: ["x", "y z"], address: .init(city: "Köln"))
    let order = try await call.place(client, body).requireCreated().body
    expect(order.payment == .card(Card(kind: "debit", digits: "a&b|2|x,y z|Köln")), "\(order)")
    let form = String(decoding: memory.last?.body ?? [], as: UTF8.self)
    expect(form == "book=a%26b&copies=2&gifts=x&gifts=y%20z&address%5Bcity%5D=K%C3%B6ln", form)
    let refused = try await call.place(client, PlaceOrderBody(book: "none")).requireOtherwise()
    expect(refused.body.detail == "sold out", "\(refused)")
    // Two values of the discriminator mean a card, and one an invoice, whatever else would fit.
    for kind in ["credit", "debit"] {
      let payment = try Payment(validating: ["kind": .string(kind), "name": "n", "days": 3])
      guard case .card = payment else { return expect(false, "\(payment)") }
    }
    guard case .invoice(let invoice) = try Payment(validating: ["kind": "invoice", "name": "n"]) else {
      return expect(false, "no invoice")
    }
    expect(invoice.name == "n" && invoice.days == nil, "\(invoice)")
  }

  static func directions(_ client: BookshopClient, _ memory: Memory) async throws {
    // What a server may not answer it does not send.
    let fault = await fault { _ = try await client.getBook(.init(id: "a", edition: 3)).requireOk() }
    expect(fault.contains("500"), fault)
    let link = AddBook.links[0]
    let values = link.values(
      request: APIRequest("POST", path: "/books"), response: APIResponse(201, body: Array(#"{"id":"b7"}"#.utf8)))
    expect(link.operation == "getBook" && values == ["id": "b7"], "\(values)")
  }

  static func others(_ memory: Memory, _ router: BookshopRouter) async throws {
    let news = Memory { try await News().respondNewBook(to: $0) }
    let book = Book(id: "1", title: "A", price: Money(amount: 1, currency: "EUR"))
    let output = try await NewBook.send(
      .init(body: book), to: "https://api.bookshop.example/hook", through: news)
    expect(output == .noContent, "\(output)")
    let method = await router.respond(to: APIRequest("PATCH", path: "/v1/books"))
    expect(method.status == 405 && method.header("allow") == "GET, POST", "\(method)")
    let path = await router.respond(to: APIRequest("GET", path: "/v1/none"))
    expect(path.status == 404, "\(path)")
    let type = await router.respond(
      to: APIRequest(
        "POST", path: "/v1/books",
        headers: [APIHeader("Content-Type", "text/csv"), APIHeader("Authorization", "Bearer key")], body: [1]))
    expect(type.status == 415, "\(type)")
    let open = await router.respond(to: APIRequest("POST", path: "/v1/books"))
    expect(open.status == 401 && open.header("www-authenticate") == "Bearer", "\(open)")
  }
}

/// Calls what the description says is deprecated, without a warning.
protocol Placing { func place(_ client: BookshopClient, _ body: PlaceOrderBody) async throws -> PlaceOrder.Output }

struct Placer: Placing {
  @available(*, deprecated)
  func place(_ client: BookshopClient, _ body: PlaceOrderBody) async throws -> PlaceOrder.Output {
    try await client.placeOrder(.init(body: body))
  }
}
