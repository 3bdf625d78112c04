/// The handlers and routes by URL, in the order of their registration.
@MainActor public final class RouteTable {
  private enum Opener {
    case handler(any SchemeHandler.Type)
    case route(RoutePattern, @MainActor (RouteRequest, MobileContext) throws -> Void)
  }

  private struct Row {
    let opener: Opener
    let place: SourcePlace?

    /// As `titles` lists it: the class, or the pattern.
    var title: String {
      switch opener {
      case .handler(let type): String(describing: type)
      case .route(let pattern, _): pattern.text
      }
    }
  }

  private var rows: [Row]
  /// A handler is made when it first gets a URL, and kept.
  private var handlers: [ObjectIdentifier: any SchemeHandler] = [:]

  init(handlers: [any SchemeHandler.Type] = []) {
    rows = handlers.map { Row(opener: .handler($0), place: nil) }
  }

  /// The registered handlers and routes, in order: the names of classes, the patterns of routes.
  public var titles: [(title: String, place: SourcePlace?)] { rows.map { ($0.title, $0.place) } }

  /// Adds a handler class at the end; one that is there already stays where it is.
  public func register(_ type: any SchemeHandler.Type, file: String = #fileID, line: Int = #line) {
    guard index(of: type) == nil else { return }
    rows.append(Row(opener: .handler(type), place: SourcePlace(file, line: line)))
  }

  /// Takes a handler class out.
  public func unregister(_ type: any SchemeHandler.Type) {
    if let index = index(of: type) { rows.remove(at: index) }
    handlers[ObjectIdentifier(type)] = nil
  }

  /// Adds a route whose parameters, from path and query, are read as a type of the app.
  ///
  /// ```swift
  /// struct ItemParameters: Decodable { let id: Int; let from: String? }
  /// try context.routes.add("shop://item/{id}", ItemParameters.self) { parameters, context in
  ///   try context.start("item", parameters: ["id": parameters.id])
  /// }
  /// ```
  public func add<Value: Decodable>(
    _ pattern: String, _ type: Value.Type, file: String = #fileID, line: Int = #line,
    _ body: @escaping @MainActor (Value, MobileContext) throws -> Void
  ) throws(FrameworkError) {
    try add(pattern, file: file, line: line) { request, context in try body(request.decode(type), context) }
  }

  /// Adds a route that takes the request as it is.
  public func add(
    _ pattern: String, file: String = #fileID, line: Int = #line,
    _ body: @escaping @MainActor (RouteRequest, MobileContext) throws -> Void
  ) throws(FrameworkError) {
    let place = SourcePlace(file, line: line)
    let pattern = try RoutePattern(pattern)
    if let known = rows.first(where: { $0.title == pattern.text }) {
      throw FrameworkError(
        .routeRegisteredTwice, .route(pattern.text), at: known.place, values: ["other_place": "\(place)"])
    }
    rows.append(Row(opener: .route(pattern, body), place: place))
  }

  /// Takes the route of that pattern out.
  public func remove(_ pattern: String) {
    rows.removeAll { if case .route(let other, _) = $0.opener { other.text == pattern } else { false } }
  }

  private func index(of type: any SchemeHandler.Type) -> Int? {
    rows.firstIndex { if case .handler(let other) = $0.opener { other == type } else { false } }
  }

  /// Lets the first that can open it open a URL; gives its title.
  func open(_ url: AppURL, userInfo: Parameters, in context: MobileContext) throws(FrameworkError) -> String {
    for row in rows where try open(url, userInfo, row, context) { return row.title }
    throw FrameworkError(.routeUnhandled, .route(url.text), values: ["count": "\(rows.count)"])
  }

  private func open(
    _ url: AppURL, _ userInfo: Parameters, _ row: Row, _ context: MobileContext
  ) throws(FrameworkError) -> Bool {
    do {
      return try hand(url, userInfo, to: row, context)
    } catch let error as FrameworkError {
      throw error
    } catch {
      throw FrameworkError(
        .routeFailed, .route(url.text), at: row.place, values: ["route": row.title], underlying: error)
    }
  }

  private func hand(_ url: AppURL, _ userInfo: Parameters, to row: Row, _ context: MobileContext) throws -> Bool {
    let parameters = url.parameters.owned(by: .route(url.text), at: row.place)
    switch row.opener {
    case .route(let pattern, let body):
      guard let values = pattern.match(url) else { return false }
      let all = parameters.merging(Parameters(values))
      try body(RouteRequest(url: url, parameters: all, userInfo: userInfo), context)
      return true
    case .handler(let type):
      guard type.canHandle(url) else { return false }
      let handler = handlers[ObjectIdentifier(type)] ?? type.init()
      handlers[ObjectIdentifier(type)] = handler
      return try handler.handle(RouteRequest(url: url, parameters: parameters, userInfo: userInfo), in: context)
    }
  }
}

extension MobileContext {
  /// Opens a URL by the first handler or route that can.
  ///
  /// - Parameters:
  ///   - url: The URL as text.
  ///   - userInfo: What is handed on besides the URL.
  /// - Returns: Who opened it: the handler's class, or the route's pattern.
  /// - Throws: `route-url-malformed`, `route-unhandled`, or what the handler threw.
  @discardableResult
  public func open(_ url: String, userInfo: Parameters = [:]) throws(FrameworkError) -> String {
    try open(AppURL(url), userInfo: userInfo)
  }

  /// Opens a URL that was read already.
  @discardableResult
  public func open(_ url: AppURL, userInfo: Parameters = [:]) throws(FrameworkError) -> String {
    guard !isTerminated else { throw FrameworkError(.contextTerminated, .route(url.text)) }
    guard interface.canOpen(url) else {
      throw FrameworkError(.routeUnhandled, .route(url.text), values: ["count": "0"])
    }
    return try routes.open(url, userInfo: userInfo, in: self)
  }
}
