import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("Words of a shell's line") struct ShellWordTests {
  @Test(
    "stand as they are where no sign in them means anything, else between quotes",
    arguments: [
      ("a/b.c-d_9", "a/b.c-d_9"), ("a b", "'a b'"), ("", "''"), ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"),
      ("a@b", "'a@b'"), ("ä", "'ä'"), ("a\nb", "'a\nb'"), ("-x", "-x"), ("'", #"''\'''"#), ("[", "'['"), ("{", "'{'"),
    ])
  func words(text: String, word: String) {
    #expect(text.shellWord(plain: "/.-_") == word)
  }

  @Test("the signs that are plain are those that the place of the word takes")
  func signs() {
    #expect("a@b".shellWord(plain: "@") == "a@b")
    #expect("a@b".shellQuoted == "'a@b'")
    #expect("a-b".shellWord(plain: "") == "'a-b'")
  }

  @Test(
    "a shell reads back what was quoted",
    arguments: [
      "plain", "two words", "it's", "''", "$(exit 3)`exit 4`", "a\\b\"c", "*?[a]~!#&;|<>", "line\nbreak", "ä人",
    ])
  func readBack(text: String) throws {
    let line = "printf %s \(text.shellWord(plain: "./-_")) \(text.shellQuoted)"
    let outcome = try ProcessRunner.live.run(.init("/bin/sh", ["-c", line], capturesOutput: true))
    #expect(outcome == ProcessRunner.Outcome(status: 0, output: text + text))
  }
}
