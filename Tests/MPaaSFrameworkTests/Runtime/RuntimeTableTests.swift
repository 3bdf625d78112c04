import MPaaSFramework
import Testing

@Suite("The runtime table") struct RuntimeTableTests {
  @Test("a place is told as file and line")
  func place() {
    #expect("\(SourcePlace("MobileRuntime.plist", line: 12))" == "MobileRuntime.plist:12")
  }
}
