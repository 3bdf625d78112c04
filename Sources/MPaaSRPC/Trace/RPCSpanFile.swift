import MPaaSLock
import MPaaSSupport

/// A file with a line of JSON for each call, which `mpaas rpc stats` reads; it holds no arguments and no answers.
///
/// Where it has grown to its limit it becomes `NAME.1`, in the place of the one before.
public final class RPCSpanFile: Sendable {
  private struct State {
    let file: SharedFile
    var size: UInt64
  }

  /// The path of the file.
  public let path: String
  private let limit: UInt64
  private let state: Lock<State>

  /// Opens a file to write behind what it holds.
  ///
  /// - Parameters:
  ///   - path: The path; its folder must be there.
  ///   - limit: The bytes at which it is put aside.
  /// - Throws: `RPCError` `rpc-storage`.
  public init(_ path: String, limit: Int = 4 << 20) throws(RPCError) {
    self.path = path
    self.limit = UInt64(max(limit, 1))
    do throws(FileError) {
      state = Lock(try Self.opened(path))
    } catch {
      throw RPCError(storage: error, path)
    }
  }

  private static func opened(_ path: String) throws(FileError) -> State {
    let file = SharedFile(try OpenFile(path, .appending(0o600)))
    return State(file: file, size: file.file.status?.size ?? 0)
  }

  /// Writes a call; what cannot be written is left out.
  @Sendable public func observe(_ span: RPCSpan) {
    let line = Array((span.line + "\n").utf8)
    state.withLock { state in
      if state.size + UInt64(line.count) > limit, state.size > 0 {
        try? FileSystem.rename(path, to: path + ".1")
        if let fresh = try? Self.opened(path) { state = fresh }
      }
      try? state.file.file.append(line)
      state.size += UInt64(line.count)
    }
  }
}

extension RPCSpanFile {
  /// The most bytes of a file that is read.
  private static let greatestSize = 1 << 30

  /// The calls of a file, in the order in which they ended; a last line that was cut is left out.
  ///
  /// - Throws: `RPCError` `rpc-storage`, and `rpc-spans-malformed` with the number of the line.
  package static func spans(in path: String) throws(RPCError) -> [RPCSpan] {
    let bytes: Bytes
    do throws(FileError) {
      bytes = try Bytes.reading(path, limit: greatestSize)
    } catch {
      throw RPCError(storage: error, path)
    }
    var spans: [RPCSpan] = []
    let lines = bytes.array.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Behind the last line end stands nothing, or what a killed program left.
    for (index, line) in lines.dropLast().enumerated() {
      guard let span = RPCSpan(line: line) else {
        throw RPCError(.spansMalformed, ["file": path, "line": String(index + 1)])
      }
      spans.append(span)
    }
    return spans
  }
}
