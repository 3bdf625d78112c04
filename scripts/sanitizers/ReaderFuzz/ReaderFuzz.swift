import Glibc

/// libFuzzer's own main function, which calls `readOneInput` with bytes of its making.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ readOneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Gives made bytes to the reader that `MPAAS_READER` names; the arguments are libFuzzer's.
@main enum ReaderFuzz {
  static let reader: Reader? = getenv("MPAAS_READER").flatMap { Reader(rawValue: String(cString: $0)) }

  static func main() {
    guard reader != nil else {
      print(Reader.allCases.map(\.rawValue).joined(separator: "\n"))
      exit(64)
    }
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(
      runDriver(&count, &arguments) { start, count in
        let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
        ReaderFuzz.reader?.read(bytes)
        return 0
      })
  }
}
