import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("Places of captured reports") struct CapturePlacesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("are named in the folder by process, time and number")
  func named() throws {
    let crashes = folder.path + "/data/crashes"
    let places = try CapturePlaces(output: nil, folder: crashes)
    #expect(FileStatus(crashes)?.kind == .folder)
    var report = SampleReport.orderBook
    #expect(places.path(of: report, isFirst: true) == crashes + "/orderbook-20251121124320250-4711.ips")
    report.process.name = "a/b"
    #expect(places.path(of: report, isFirst: false).hasPrefix(crashes + "/a_b-"))
    report.process.name = ""
    #expect(places.path(of: report, isFirst: false).hasPrefix(crashes + "/process-"))
  }

  @Test("are the file that was asked for; a second report has its process' number too")
  func asked() throws {
    let report = SampleReport.orderBook
    let ips = try CapturePlaces(output: folder.path + "/a.ips", folder: "/nowhere")
    #expect(ips.path(of: report, isFirst: true) == folder.path + "/a.ips")
    #expect(ips.path(of: report, isFirst: false) == folder.path + "/a-4711.ips")
    let other = try CapturePlaces(output: folder.path + "/a", folder: "/nowhere")
    #expect(other.path(of: report, isFirst: false) == folder.path + "/a-4711")
  }

  @Test("that cannot be written to are found before anything is captured")
  func refused() {
    #expect(throws: FileError.self) { try CapturePlaces(output: folder.path + "/none/a.ips", folder: folder.path) }
  }
}
