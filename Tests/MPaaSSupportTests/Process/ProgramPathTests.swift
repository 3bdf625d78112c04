import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("The folders that programs are looked for in") struct ProgramPathTests {
  @Test("are those of a value in their order, and a system's where there is none")
  func folders() {
    #expect(ProgramPath("/b::/a").folders == ["/b", "/a"])
    #expect(ProgramPath("").folders.isEmpty)
    #expect(ProgramPath(nil).folders == ["/usr/bin", "/bin"])
  }

  @Test("the first one that has a program which may be run gives its path")
  func search() throws {
    let temporary = try TemporaryFolder()
    let home = temporary.path
    for folder in ["first", "second", "third"] { try Directories.create("\(home)/\(folder)") }
    try Bytes([]).write(to: home + "/first/tool")
    for folder in ["second", "third"] {
      try OpenFile("\(home)/\(folder)/tool", .emptying(0o755)).append(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    let path = ProgramPath("\(home)/missing:\(home)/first:\(home)/second:\(home)/third")
    #expect(path.file("tool") == home + "/second/tool")
    #expect(path.file("other") == nil && !path.has("other") && path.has("tool"))
  }
}
