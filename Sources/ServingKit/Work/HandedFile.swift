package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Bytes that a program leaves to the one that takes its place: in a file without a name, open in both, whose number
/// stands in the environment.
///
/// Not among the arguments: those stay as the command was called, for whoever looks for it in a list of processes, and the
/// system sets each of them a limit.
package enum HandedFile {
  static let variable = "MPAAS_HANDED_WORK"

  /// Leaves bytes; they are taken by the program that is started in this one's place.
  ///
  /// - Returns: Whether the system gave a file for them; `errno` says why not.
  static func leave(_ bytes: Bytes) -> Bool {
    guard let number = pipeHolding(bytes) ?? fileHolding(bytes) else { return false }
    return setenv(variable, "\(number)", 1) == 0
  }

  /// Takes what was left, and the word of it out of the environment; nil where nothing was.
  package static func take() -> Bytes? {
    guard let number = getenv(variable).flatMap({ Int32(String(cString: $0)) }) else { return nil }
    unsetenv(variable)
    defer { close(number) }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(number, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return Bytes(all) }
      all += chunk[..<count]
    }
  }

  /// A pipe, which needs no disk; nil where it cannot hold as much.
  private static func pipeHolding(_ bytes: Bytes) -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[1]) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    if write(ends[1], bytes.buffer.baseAddress, bytes.buffer.count) == bytes.buffer.count { return ends[0] }
    close(ends[0])
    return nil
  }

  private static func fileHolding(_ bytes: Bytes) -> Int32? {
    guard let file = tmpfile() else { return nil }
    guard fwrite(bytes.buffer.baseAddress, 1, bytes.buffer.count, file) == bytes.buffer.count, fflush(file) == 0,
      lseek(fileno(file), 0, SEEK_SET) == 0
    else { return nil }
    return fileno(file)
  }
}
