package import MPaaSSupport
import MPaaSTerminal

extension Context {
  /// The bytes of a file, or of standard input for `-`.
  package func data(at path: String) throws -> Bytes {
    guard path == "-" else { return try Bytes.mapping(path) }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try StandardInput.read(into: &chunk)
      if count == 0 { return Bytes(all) }
      all += chunk[..<count]
    }
  }

  /// The name of a file or of standard input in errors.
  package func name(ofData path: String) -> String { path == "-" ? catalogue.text("text.standard-input") : path }
}
