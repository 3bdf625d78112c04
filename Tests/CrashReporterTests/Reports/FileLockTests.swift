import MPaaSTestSupport
import Testing

@testable import CrashReporter

@Suite("The lock of a record") struct FileLockTests {
  @Test("that another has closes nothing of other threads")
  func taken() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/record"
    let lock = try #require(FileLock(path, create: true))
    #expect(OtherDescriptors.lost { _ = FileLock(path, create: false) } == 0)
    withExtendedLifetime(lock) {}
  }
}
