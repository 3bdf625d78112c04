import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("What may be sent as a report") struct UploadableReportTests {
  private static let elf: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  private static let machO: [UInt8] = [0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0]

  private func code(_ bytes: [UInt8]) -> DiagnosticID? {
    do throws(UploadError) {
      try UploadableReport.check(Bytes(bytes), at: "f")
      return nil
    } catch {
      return error.code.id
    }
  }

  @Test("is no core of ELF or Mach-O, whatever its order of bytes")
  func cores() {
    #expect(code(Self.elf + [4, 0, 62, 0]) == "crash-upload-core")
    #expect(code([0x7f, 0x45, 0x4c, 0x46, 1, 2] + Self.elf.dropFirst(6) + [0, 4, 0, 8]) == "crash-upload-core")
    #expect(code(Self.machO + [4, 0, 0, 0, 0, 0, 0, 0]) == "crash-upload-core")
  }

  @Test("is no program and no text")
  func others() {
    #expect(code(Self.elf + [2, 0, 62, 0]) == "crash-upload-unknown")
    #expect(code([65, 10]) == "crash-upload-unknown")
    #expect(code([]) == "crash-upload-unknown")
  }

  @Test("is what begins as a format of reports does", .fixtures)
  func reports() throws {
    #expect(code(Array(try Fixture.data("crash/apple/sym_AppleJson.ips"))) == nil)
  }
}
