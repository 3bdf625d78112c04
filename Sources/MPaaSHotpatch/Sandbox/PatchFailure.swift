internal import CLua

/// The reason why a patch, or one call of it, failed, and where in its files.
public struct PatchFailure: Error, Sendable, Equatable {
  /// The kind of failure.
  public enum Kind: String, Sendable {
    /// The file is no Lua.
    case syntax
    /// Lua raised an error, or the patch called `error`.
    case error
    /// The limit of instructions.
    case instructions
    /// The limit of time.
    case time
    /// The limit of memory.
    case memory
    /// A value was not of the type that the function takes or gives.
    case value
    /// The files are not what makes a patch.
    case files
    /// Too many calls were under way at once.
    case busy
  }

  /// A function of the patch that was under way.
  public struct Frame: Sendable, Equatable {
    /// The path of the file in the patch; nil for functions of the app.
    public let file: String?
    /// From 1; nil where it is not known.
    public let line: Int?
    /// Empty where it has no name.
    public let function: String

    package init(file: String?, line: Int?, function: String) {
      self.file = file
      self.line = line
      self.function = function
    }
  }

  /// The kind of the failure.
  public let kind: Kind
  /// One line; Lua's own texts, which begin with the file and the line.
  public let message: String
  /// The function of the app that was replaced; nil while the patch was loaded.
  public let symbol: String?
  /// Innermost first.
  public let frames: [Frame]

  package init(_ kind: Kind, _ message: String, symbol: String? = nil, frames: [Frame] = []) {
    self.kind = kind
    self.message = message
    self.symbol = symbol
    self.frames = frames
  }
}

extension PatchFailure: CustomStringConvertible {
  /// The message, and below it a line for each frame: `  main.lua:12 in function 'total'`.
  public var description: String {
    let lines = frames.map { frame in
      let place = frame.file.map { file in frame.line.map { "\(file):\($0)" } ?? file } ?? "the app"
      return "\n  \(place)" + (frame.function.isEmpty ? "" : " in \(frame.function)")
    }
    return (symbol.map { "\($0): " } ?? "") + message + lines.joined()
  }
}

extension PatchFailure {
  /// The failure that a call ended with, where its status says that it failed.
  package init(status: Int32, of call: OpaquePointer, symbol: String?) {
    let frames = (0..<mp_lua_place_count(call)).compactMap { mp_lua_place_at(call, $0) }.map { Frame($0.pointee) }
    let message = mp_lua_message(call).map { String(cString: $0) } ?? ""
    self.init(Kind(status: status), message, symbol: symbol, frames: frames)
  }
}

extension PatchFailure.Kind {
  package init(status: Int32) {
    switch status {
    case MP_LUA_OUT_OF_INSTRUCTIONS: self = .instructions
    case MP_LUA_OUT_OF_TIME: self = .time
    case MP_LUA_OUT_OF_MEMORY: self = .memory
    case MP_LUA_SYNTAX: self = .syntax
    default: self = .error
    }
  }
}

extension PatchFailure.Frame {
  init(_ place: mp_lua_place) {
    let file = withUnsafeBytes(of: place.file) { Self.text($0) }
    self.init(
      file: file == "=" ? nil : file, line: place.line > 0 ? Int(place.line) : nil,
      function: withUnsafeBytes(of: place.function) { Self.text($0) })
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
