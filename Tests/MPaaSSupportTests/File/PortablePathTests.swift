import MPaaSSupport
import Testing

@Suite("Portable paths")
struct PortablePathTests {
  @Test(
    "What some system takes for another file than the one that is named is refused, with the rule that it breaks",
    arguments: [
      ("/etc/passwd", .absolute), ("a/../b", .outside), ("..", .outside), ("", .emptyPart), ("a//b", .emptyPart),
      ("./a", .emptyPart), ("a/", .emptyPart), ("a\u{0}b", .control), ("a\nb", .control), ("a\u{202e}b", .control),
      ("a\u{7f}", .control), ("a\u{85}b", .control), ("a\\b", .backslash), ("C:", .drive), ("c:b", .drive),
      ("a/d:x", .drive), (".git", .git), (".GIT/config", .git), ("a/.Git/hooks/post-checkout", .git),
      (".git ", .git), (".git.", .git), (".git. .", .git), (".git::$INDEX_ALLOCATION", .git), ("git~1", .git),
      ("GIT~1/config", .git), ("git~1.", .git), (".g\u{200c}it", .git), ("\u{feff}.git", .git), (".git\\x", .git),
      ("CON", .device), ("nul.txt", .device), ("a/COM1", .device), ("lpt9.tar.gz", .device), ("aux .h", .device),
      ("PRN", .device), ("COM²", .device), ("CONIN$", .device), ("nul:", .device), ("a.", .trailing),
      ("a /b", .trailing), ("...", .trailing), ("Framework.framework/Headers. ", .trailing),
    ] as [(String, PortablePath.Rule)])
  func refused(_ path: String, _ rule: PortablePath.Rule) {
    #expect(PortablePath.rule(brokenBy: path) == rule)
  }

  @Test(
    "Names that are fine everywhere are taken",
    arguments: [
      "a", "APLog.framework/Headers/APLog.h", "module.toml", ".gitignore", ".gitmodules", ".github/workflows",
      "git", "git~2", "a.git", "x.git/config", ".gitx", "console.log", "COM", "COM0", "COM10", "LPT", "nula", "aux1",
      "日志/模块 一.h", "é", "a b", ".hidden", "..a", "a..b", "mailto:x", "-f", "~", "con_", "Icon?",
    ])
  func taken(_ path: String) {
    #expect(PortablePath.rule(brokenBy: path) == nil)
  }
}
