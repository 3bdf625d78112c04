internal import MPaaSLock

/// The name of a method that a module exports, with the types that go in and come out.
///
/// Declared where both sides see it, it is checked by the compiler; a call by name alone is checked by
/// `ExportedMethods`.
/// ```swift
/// extension ExportedMethod where Input == Item, Output == Int {
///   static var addToCart: Self { .init("cart.add") }
/// }
/// ```
public struct ExportedMethod<Input: Sendable, Output: Sendable>: Sendable {
  /// `module.method`.
  public let name: String

  /// Names a method as `module.method`; `ExportedMethods` checks the name as the method is exported.
  public init(_ name: String) { self.name = name }
}

/// The methods that modules export to one another: named `module.method`, with checked types; for any thread.
public final class ExportedMethods: Sendable {
  private struct Row: Sendable {
    let input: Any.Type
    let output: Any.Type
    let place: SourcePlace
    let body: @Sendable (any Sendable) async throws -> any Sendable
  }

  private let rows = Lock<[String: Row]>([:])

  init() {}

  /// The names of all methods, sorted, with their types and lines.
  public var list: [(name: String, input: String, output: String, place: SourcePlace)] {
    rows.withLock { $0.map { ($0.key, "\($0.value.input)", "\($0.value.output)", $0.value.place) } }
      .sorted { $0.name < $1.name }
  }

  /// Offers a method to other modules.
  ///
  /// - Throws: `method-name-malformed`, `method-registered-twice` with both lines.
  public func export<Input: Sendable, Output: Sendable>(
    _ method: ExportedMethod<Input, Output>, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (Input) async throws -> Output
  ) throws(FrameworkError) {
    let name = method.name
    let place = SourcePlace(file, line: line)
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains(where: \.isWhitespace) }) else {
      throw FrameworkError(.methodNameMalformed, .method(name), at: place)
    }
    let row = Row(input: Input.self, output: Output.self, place: place) { input in
      guard let input = input as? Input else { throw Self.mismatch(name, place, "\(type(of: input))", "\(Input.self)") }
      return try await body(input)
    }
    let known = rows.withLock { rows -> SourcePlace? in
      if let known = rows[name] { return known.place }
      rows[name] = row
      return nil
    }
    if let known {
      throw FrameworkError(.methodRegisteredTwice, .method(name), at: known, values: ["other_place": "\(place)"])
    }
  }

  /// Offers a method by its name.
  public func export<Input: Sendable, Output: Sendable>(
    _ name: String, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (Input) async throws -> Output
  ) throws(FrameworkError) {
    try export(ExportedMethod<Input, Output>(name), file: file, line: line, body)
  }

  /// Takes a method back.
  public func withdraw(_ name: String) {
    _ = rows.withLock { $0.removeValue(forKey: name) }
  }

  /// Calls a method of another module.
  ///
  /// - Throws: `method-unknown`, `method-type-mismatch` where the exporter has other types, `method-failed` with what
  ///   the method threw.
  public func call<Input: Sendable, Output: Sendable>(
    _ method: ExportedMethod<Input, Output>, _ input: Input
  ) async throws(FrameworkError) -> Output {
    let name = method.name
    guard let row = rows.withLock({ $0[name] }) else { throw unknown(name) }
    guard row.input == Input.self else { throw Self.mismatch(name, row.place, "\(Input.self)", "\(row.input)") }
    guard row.output == Output.self else { throw Self.mismatch(name, row.place, "\(Output.self)", "\(row.output)") }
    do {
      let result = try await row.body(input)
      guard let output = result as? Output else {
        throw Self.mismatch(name, row.place, "\(Output.self)", "\(row.output)")
      }
      return output
    } catch let error as FrameworkError {
      throw error
    } catch {
      throw FrameworkError(.methodFailed, .method(name), at: row.place, underlying: error)
    }
  }

  /// Calls a method by its name.
  public func call<Input: Sendable, Output: Sendable>(
    _ name: String, _ input: Input, returning type: Output.Type = Output.self
  ) async throws(FrameworkError) -> Output {
    try await call(ExportedMethod<Input, Output>(name), input)
  }

  private static func mismatch(
    _ name: String, _ place: SourcePlace, _ given: String, _ expected: String
  ) -> FrameworkError {
    FrameworkError(.methodTypeMismatch, .method(name), at: place, values: ["given": given, "expected": expected])
  }

  private func unknown(_ name: String) -> FrameworkError {
    let near = nearest(to: name, among: list.map(\.name)).map { " (\($0)?)" }
    return FrameworkError(.methodUnknown, .method(name), values: ["suggestion": near ?? ""])
  }
}
