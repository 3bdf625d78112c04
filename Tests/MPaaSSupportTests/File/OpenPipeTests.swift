import MPaaSSupport
import MPaaSTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("An open pipe") struct OpenPipeTests {
  private static func read(_ descriptor: Int32) -> Int {
    var byte: UInt8 = 0
    #if canImport(Darwin)
      return Darwin.read(descriptor, &byte, 1)
    #elseif canImport(Glibc)
      return Glibc.read(descriptor, &byte, 1)
    #else
      return Musl.read(descriptor, &byte, 1)
    #endif
  }

  @Test("gives at one end what was written at the other")
  func passes() throws {
    let pipe = try OpenPipe()
    try pipe.writing.append([7, 8])
    #expect(Self.read(pipe.reading.descriptor) == 1)
    #expect(Self.read(pipe.reading.descriptor) == 1)
  }

  @Test("does not wait where it should not")
  func waits() throws {
    let pipe = try OpenPipe(waits: false)
    #expect(Self.read(pipe.reading.descriptor) == -1)
  }

  @Test("has no reader once the end to write to is all that is left")
  func oneEnd() throws {
    signal(SIGPIPE, SIG_IGN)
    let end = try OpenPipe().endToWriteTo()
    do throws(FileError) {
      try end.append([1])
      Issue.record("written to a pipe without a reader")
    } catch {
      #expect(error.operation == .write)
    }
  }
}
