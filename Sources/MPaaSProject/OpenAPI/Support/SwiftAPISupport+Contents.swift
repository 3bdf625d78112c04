extension SwiftAPISupport {
  static let contents = #"""
    /// A media type of a request or an answer, and how values are written in it.
    struct APIContent: Sendable {
      enum Form: Sendable { case json, jsonLines, text }
      indirect enum Writing: Sendable {
        case plain(Form)
        case form(APIFormFields)
        case xml(String, namespace: String?)
      }
      let type: String
      let shape: APIShape
      let writing: Writing
      let check: APICheck?

      init(_ type: String, _ form: Form, _ shape: APIShape = .any, check: APICheck? = nil) {
        self.type = type
        self.shape = shape
        self.check = check
        writing = .plain(form)
      }

      init(_ type: String, form styled: [APIParameter], _ shape: APIShape, check: APICheck? = nil) {
        self.type = type
        self.shape = shape
        self.check = check
        writing = .form(APIFormFields(shape: shape, styled: styled))
      }

      init(
        _ type: String, xml root: String, namespace: String? = nil, _ shape: APIShape,
        check: APICheck? = nil
      ) {
        self.type = type
        self.shape = shape
        self.check = check
        writing = .xml(root, namespace: namespace)
      }

      func bytes(_ value: JSONValue, _ direction: JSONDirection) throws -> [UInt8] {
        try validate(value, direction)
        switch writing {
        case .plain(.json): return APIText.json(value)
        case .plain(.text): return Array(APIText.text(value).utf8)
        case .plain(.jsonLines):
          guard case .array(let values) = value else { return APIText.json(value) + [0x0a] }
          return values.flatMap { APIText.json($0) + [0x0a] }
        case .form(let fields): return Array(try fields.text(value).utf8)
        case .xml(let root, let namespace):
          return Array(APIXMLNode(value, root, namespace, shape).document.utf8)
        }
      }

      func value(_ bytes: [UInt8], _ direction: JSONDirection) throws -> JSONValue {
        let value: JSONValue
        switch writing {
        case .plain(.json): value = try APIText.json(bytes)
        case .plain(.text): value = shape.value(String(decoding: bytes, as: UTF8.self))
        case .plain(.jsonLines):
          let lines = bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x1e || $0 == 0x0d })
          value = .array(try lines.map { try APIText.json(Array($0)) })
        case .form(let fields): value = try fields.value(String(decoding: bytes, as: UTF8.self))
        case .xml: value = try APIXMLReader.root(bytes).value(shape)
        }
        try validate(value, direction)
        return value
      }

      func validate(_ value: JSONValue, _ direction: JSONDirection) throws {
        guard let check else { return }
        var report = JSONReport(direction)
        check(value, &report)
        try report.finish()
      }

      /// The index of the media type that another is described by; nil where there is none.
      static func index(_ given: String?, among types: [String]) -> Int? {
        guard let given else { return types.isEmpty ? nil : 0 }
        func bare(_ type: String) -> String {
          String(type.prefix { $0 != ";" }).lowercased().filter { $0 != " " }
        }
        let wanted = bare(given)
        let all = types.map(bare)
        let group = wanted.prefix { $0 != "/" } + "/*"
        return all.firstIndex(of: wanted) ?? all.firstIndex(of: String(group)) ?? all.firstIndex(of: "*/*")
      }
    }

    /// Makes the request of an operation.
    struct APIRequestWriter {
      private let operation: APIOperation
      private var request: APIRequest
      private var path: [String: String] = [:]
      private var query: [String] = []

      init(_ operation: APIOperation) {
        self.operation = operation
        request = APIRequest(operation.method, path: "", operation: operation.id)
      }

      mutating func accept(_ types: [String]) {
        if !types.isEmpty { request.headers.append(APIHeader("Accept", types.joined(separator: ", "))) }
      }

      mutating func set(_ parameter: APIParameter, _ value: (some JSONConvertible)?) throws {
        guard let value = value?.jsonValue else { return }
        try parameter.validate(value, .request)
        switch parameter.place {
        case .path:
          let text = parameter.text(value)
          // An empty part, or dots, would make another path.
          guard !text.isEmpty, text != ".", text != ".." else {
            throw APIFault(.badRequest, "\(operation.id): “\(parameter.name)” is empty in the path")
          }
          path[parameter.name] = text
        case .query: query += try parameter.pairs(value)
        case .querystring where parameter.isJSON: query.append(parameter.text(value))
        case .querystring: query.append(try parameter.pairs(value).joined(separator: "&"))
        case .header: request.headers.append(try APIText.safe(parameter.name, parameter.text(value)))
        case .cookie:
          for pair in try parameter.pairs(value) {
            APIText.addCookie(try APIText.safe("Cookie", pair).value, to: &request.headers)
          }
        }
      }

      mutating func body(_ content: APIContent, _ value: some JSONConvertible) throws {
        body(content.type, try content.bytes(value.jsonValue, .request))
      }

      mutating func body(_ type: String, _ bytes: [UInt8]) {
        request.headers.append(APIHeader("Content-Type", type))
        request.body = bytes
      }

      mutating func body(_ parts: APIMultipart) {
        body(parts.contentType, parts.bytes)
      }

      func finished() throws -> APIRequest {
        var request = request
        request.pathValues = path
        var rest = operation.path[...]
        while let brace = rest.firstIndex(of: "{"), let end = rest[brace...].firstIndex(of: "}") {
          let name = String(rest[rest.index(after: brace)..<end])
          guard let value = path[name] else {
            throw APIFault(.badRequest, "\(operation.id): “\(name)” of the path is missing")
          }
          request.path += rest[..<brace] + value
          rest = rest[rest.index(after: end)...]
        }
        request.path += rest
        if !query.isEmpty { request.query = query.joined(separator: "&") }
        return request
      }
    }

    extension APIText {
      /// A field of a header that stays within its line.
      static func safe(_ name: String, _ value: String) throws -> APIHeader {
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
          throw APIFault(.badRequest, "the field \(name) of the header would have a line end or a control in it")
        }
        return APIHeader(name, value)
      }
    }

    /// Reads the request of an operation.
    struct APIRequestReader {
      let request: APIRequest
      private let query: [(name: String, value: String)]

      var bytes: [UInt8] { request.body }

      init(_ request: APIRequest) {
        self.request = request
        query = APIText.pairs(request.query ?? "")
      }

      private func json(_ parameter: APIParameter) throws -> JSONValue? {
        do {
          return try found(parameter)
        } catch let problem as JSONProblem {
          throw JSONInvalid([JSONProblem(problem.message, path: [parameter.name] + problem.path)])
        }
      }

      private func found(_ parameter: APIParameter) throws -> JSONValue? {
        switch parameter.place {
        case .path: try request.pathValues[parameter.name].map { try parameter.value($0) }
        case .query: try parameter.value(query)
        case .header: try request.header(parameter.name).map { try parameter.value($0) }
        case .cookie: try parameter.value(APIText.cookies(request.headers))
        case .querystring:
          try request.query.map { text in
            parameter.isJSON
              ? try parameter.value(text) : try APIFormFields(shape: parameter.shape, styled: []).value(text)
          }
        }
      }

      func optional<Value: JSONConvertible>(_ parameter: APIParameter) throws -> Value? {
        guard let json = try json(parameter) else { return nil }
        try parameter.validate(json, .request)
        return try JSONProblem.under(parameter.name) { try Value(jsonValue: json) }
      }

      func required<Value: JSONConvertible>(_ parameter: APIParameter) throws -> Value {
        guard let value: Value = try optional(parameter) else {
          throw APIFault(.badRequest, "/\(parameter.name): must be there")
        }
        return value
      }

      /// The index of the media type of the body; nil where there is no body.
      func content(_ types: [String]) throws -> Int? {
        if request.body.isEmpty, request.header("Content-Type") == nil { return nil }
        guard let index = APIContent.index(request.header("Content-Type"), among: types) else {
          throw APIFault(
            .unsupportedMediaType, "the media type “\(request.header("Content-Type") ?? "")” is not described")
        }
        return index
      }

      func body<Value: JSONConvertible>(_ content: APIContent) throws -> Value {
        try Value(jsonValue: try content.value(request.body, .request))
      }

      func parts() throws -> APIMultipart {
        try APIMultipart(request.body, request.header("Content-Type") ?? "")
      }
    }

    /// Makes an answer.
    struct APIResponseWriter {
      private(set) var response: APIResponse

      init(_ status: Int) { response = APIResponse(status) }

      mutating func set(_ header: APIParameter, _ value: (some JSONConvertible)?) throws {
        guard let value = value?.jsonValue else { return }
        try header.validate(value, .response)
        response.headers.append(try APIText.safe(header.name, header.text(value)))
      }

      mutating func body(_ content: APIContent, _ value: some JSONConvertible) throws {
        body(content.type, try content.bytes(value.jsonValue, .response))
      }

      mutating func body(_ type: String, _ bytes: [UInt8]) {
        response.headers.append(APIHeader("Content-Type", type))
        response.body = bytes
      }

      mutating func body(_ parts: APIMultipart) {
        body(parts.contentType, parts.bytes)
      }
    }

    /// Reads an answer.
    struct APIResponseReader {
      let response: APIResponse

      init(_ response: APIResponse) { self.response = response }

      var bytes: [UInt8] { response.body }

      func optional<Value: JSONConvertible>(_ header: APIParameter) throws -> Value? {
        guard let text = response.header(header.name) else { return nil }
        let json = try header.value(text)
        try header.validate(json, .response)
        return try JSONProblem.under(header.name) { try Value(jsonValue: json) }
      }

      func required<Value: JSONConvertible>(_ header: APIParameter) throws -> Value {
        guard let value: Value = try optional(header) else {
          throw APIFault(.badAnswer, "the field \(header.name) of the header is missing")
        }
        return value
      }

      func content(_ types: [String]) throws -> Int {
        guard let index = APIContent.index(response.header("Content-Type"), among: types) else {
          throw APIFault(
            .badAnswer, "the media type “\(response.header("Content-Type") ?? "")” of the answer is not described")
        }
        return index
      }

      func body<Value: JSONConvertible>(_ content: APIContent) throws -> Value {
        try Value(jsonValue: try content.value(response.body, .response))
      }

      func parts() throws -> APIMultipart {
        try APIMultipart(response.body, response.header("Content-Type") ?? "")
      }
    }

    """#
}
