import MPaaSSupport

/// The parts of a request that signatures may cover.
public struct SigningRequest: Sendable, Equatable {
  /// The method, such as `POST`.
  public var method: String
  /// The path as it stands in the URL, without what follows the first `?`.
  public var path: String
  /// The parameters of the URL in their order.
  public var query: [RequestField]
  /// The headers in their order; their names are the same in any case.
  public var headers: [RequestField]
  /// The parameters of a body that is a form; empty where the body is no form.
  public var form: [RequestField]
  /// The body as it is sent; nil where there is none, or where it is a form.
  public var body: [UInt8]?

  /// Takes the parts of a request as they are meant.
  public init(
    method: String, path: String, query: [RequestField] = [], headers: [RequestField] = [], form: [RequestField] = [],
    body: [UInt8]? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.form = form
    self.body = body
  }

  /// Takes a request as HTTP has it: the target may have a query, and a body may be a form by its content type.
  ///
  /// - Parameter target: A path with a query, or an absolute URL, whose scheme and authority are left out.
  public init(method: String, target: String, headers: [RequestField] = [], body: [UInt8]? = nil) {
    let (path, query) = Self.parts(of: target)
    let body = body.flatMap { $0.isEmpty ? nil : $0 }
    let type = headers.header("content-type")?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    let isForm = type == "application/x-www-form-urlencoded"
    self.init(
      method: method, path: path, query: query.map { Self.fields($0.utf8) } ?? [], headers: headers,
      form: isForm ? Self.fields(body ?? []) : [], body: isForm ? nil : body)
  }

  /// The path and the query of a target, without a fragment.
  private static func parts(of target: String) -> (path: String, query: String?) {
    var rest = target.prefix { $0 != "#" }
    if !rest.hasPrefix("/"), let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
      let authority = rest[rest.index(colon, offsetBy: 3)...]
      rest = authority[(authority.firstIndex { $0 == "/" || $0 == "?" } ?? authority.endIndex)...]
    }
    let path = rest.prefix { $0 != "?" }
    let query = rest.dropFirst(path.count + 1)
    return (path.isEmpty ? "/" : String(path), path.count < rest.count ? String(query) : nil)
  }

  /// The fields of text as forms and queries have it: `a=1&b=2`, with `+` for blanks.
  static func fields(_ text: some Collection<UInt8>) -> [RequestField] {
    text.split(separator: UInt8(ascii: "&")).map { field in
      let name = field.prefix { $0 != UInt8(ascii: "=") }
      return RequestField(decoded(name), decoded(field.dropFirst(name.count + 1)))
    }
  }

  private static func decoded(_ text: some Sequence<UInt8>) -> String {
    PercentEncoding.decodeLeniently(text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
  }
}
