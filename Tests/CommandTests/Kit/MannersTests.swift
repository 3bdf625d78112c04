import Foundation
import MPaaSTestSupport
import Testing

/// Runs the built command with a home of its own and an English locale.
func mpaas(
  _ arguments: String..., home: TemporaryFolder? = nil, environment: [String: String] = [:], input: String? = nil
) throws -> Command.Outcome {
  try mpaas(arguments, home: home, environment: environment, input: input)
}

/// The same with arguments that were put together.
func mpaas(
  _ arguments: [String], home: TemporaryFolder? = nil, environment: [String: String] = [:], input: String? = nil
) throws -> Command.Outcome {
  let folder = try home ?? TemporaryFolder()
  let base = ["MPAAS_HOME": folder.path, "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "", "CLICOLOR_FORCE": ""]
  return try Command.run("mpaas", arguments, input: input, environment: base.merging(environment) { $1 })
}

func json(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Suite("The manners of the command") struct MannersTests {
  @Test("the version is one line on standard output")
  func version() throws {
    let outcome = try mpaas("--version")
    #expect(outcome.status == 0)
    #expect(outcome.output.wholeMatch(of: /mpaas \d+\.\d+\.\d+\n/) != nil)
    #expect(outcome.errors.isEmpty)
  }

  @Test("mpaas kitversion prints the version alone; Swift and the system stand in --verbose")
  func kitVersion() throws {
    let outcome = try mpaas("kitversion")
    #expect(outcome.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    #expect(outcome.errors.isEmpty)
    #expect(try mpaas("kitversion", "--verbose").errors.contains("Swift "))
  }

  @Test("a call without words shows the commands to start with")
  func firstSteps() throws {
    let outcome = try mpaas()
    #expect(outcome.status == 0)
    for command in ["doctor", "crash run", "createapp", "sdk", "net run"] {
      #expect(outcome.output.contains("mpaas \(command)"))
    }
  }

  @Test("help and a call without a command take the options that every command has")
  func helpOptions() throws {
    #expect(try mpaas("--lang", "zh-Hans").output.contains("从这五条命令开始"))
    #expect(try mpaas("help", "--lang", "zh-Hans").output.hasPrefix("概述："))
    #expect(try mpaas("help", "crash", "show", "--lang=zh-Hans", "--quiet").output.contains("用法：mpaas crash show"))
    let steps = try json(mpaas("--json").output)["steps"] as? [[String: String]]
    #expect(steps?.count == 5)
  }

  @Test(
    "help and a call without a command refuse an option's wrong value as other calls do",
    arguments: [
      ["--lang", "xx"], ["--lang=xx", "--json"], ["help", "--lang", "xx"], ["--lang"], ["--color", "pink"],
    ])
  func wrongHelpOptions(words: [String]) throws {
    let outcome = try Command.run("mpaas", words)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("mpaas --help"))
  }

  @Test("the help shows all commands in groups, in both languages")
  func groups() throws {
    let english = try mpaas("--help").output
    #expect(english.contains("\nCRASHES AND SYMBOLS:\n  crash "))
    #expect(!english.contains("SUBCOMMANDS"))
    #expect(try mpaas("--help", "--lang", "zh-Hans").output.contains("\n崩溃与符号：\n  crash "))
  }

  @Test("the description of all commands for manuals is JSON")
  func dump() throws {
    let description = try json(mpaas("--experimental-dump-help").output)
    #expect(description["command"] != nil)
  }

  @Test("no line of a help is wider than the terminal, in both languages", arguments: [40, 80, 100])
  func helpWidth(columns: Int) throws {
    for words in [
      ["--help"], ["net", "run", "--help"], ["crash", "symbolicate", "--help"], ["pinyin", "search", "--help"],
    ] {
      for language in ["en", "zh-Hans"] {
        let page = try Command.run("mpaas", words + ["--lang", language], environment: ["COLUMNS": "\(columns)"]).output
        // A word that is wider than the line stays whole.
        let wide = page.split(separator: "\n").filter { line in
          let width = line.unicodeScalars.reduce(0) { $0 + ($1.value < 0x2e80 ? 1 : 2) }
          return width > columns && line.split(separator: " ").count > 1
        }
        #expect(wide == [], "\(words) \(language)")
      }
    }
  }

  @Test("the help of a command ends with its examples, a sentence and the line that is typed, in both languages")
  func examples() throws {
    let english = try mpaas("crash", "show", "--help").output
    #expect(english.contains("\n\nEXAMPLES:\n  "))
    #expect(english.hasSuffix("\n    mpaas crash show reports/orderbook.ips --fold-threads --no-images\n\n"))
    let chinese = try mpaas("crash", "show", "--help", "--lang", "zh-Hans").output
    #expect(chinese.contains("\n\n示例：\n  "))
    #expect(try mpaas("--help").output.contains("\n\nEXAMPLES:\n  "))
  }

  @Test("a line of an example that is wider than the terminal goes on behind a backslash, options with their values")
  func wideExamples() throws {
    let page = try Command.run("mpaas", ["crash", "symbolicate", "--help"], environment: ["COLUMNS": "40"]).output
    #expect(page.contains("\n      --symbols $(which orderbook) \\\n      -o found.ips\n"))
  }

  @Test("help finds commands by words of a task in both languages", arguments: ["stack trace", "堆栈"])
  func helpByTask(words: String) throws {
    let outcome = try Command.run("mpaas", ["help"] + words.split(separator: " ").map(String.init))
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("mpaas crash symbolicate"))
  }

  @Test("help for what no command is about is wrong usage; a command's own help is shown as before")
  func helpTopics() throws {
    let unknown = try mpaas("help", "bogus")
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("No command is about bogus."))
    #expect(try mpaas("help", "crash", "show").output.contains("USAGE: mpaas crash show"))
  }

  @Test("JSON has snake_case keys and is one document")
  func jsonResult() throws {
    let outcome = try mpaas("kitversion", "--json")
    #expect(Set(try json(outcome.output).keys) == ["version", "swift", "platform"])
  }

  @Test("a misspelled command gets the nearest one, on standard error, with status 64", arguments: ["docter", "carsh"])
  func suggestion(word: String) throws {
    let outcome = try mpaas(word)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("error: '\(word)' is not a command of 'mpaas'"))
    #expect(outcome.errors.contains("help: did you mean 'mpaas \(word == "docter" ? "doctor" : "crash")'?"))
  }

  @Test(
    "a misspelled command is what is wrong behind common options, too",
    arguments: [
      (["--lang", "zh-Hans", "docter"], "“docter”不是“mpaas”的命令"),
      (["--color=never", "--json", "docter"], "'docter' is not a command of 'mpaas'"),
      (["--lang", "zh-Hans", "crash", "lst"], "“lst”不是“mpaas crash”的命令"),
      (["crash", "--lang", "en", "lst"], "'lst' is not a command of 'mpaas crash'"),
    ])
  func suggestionBehindOptions(arguments: [String], sentence: String) throws {
    let outcome = try Command.run("mpaas", arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(sentence))
    #expect(!outcome.errors.contains("--lang"))
    #expect(!outcome.errors.contains("--color"))
  }

  @Test("a command that runs a program has a help of its own", arguments: ["crash", "net"])
  func helpOfRunners(noun: String) throws {
    let outcome = try mpaas(noun, "run", "--help")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("mpaas \(noun) run"))
  }

  @Test("an unknown option is wrong usage and names the nearest option")
  func option() throws {
    let outcome = try mpaas("kitversion", "--jsn")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("'--jsn'"))
    #expect(outcome.errors.contains("'--json'"))
    #expect(outcome.errors.contains("help: mpaas kitversion --help"))
  }

  @Test("a misspelled value gets the nearest one, in both languages")
  func value() throws {
    let english = try mpaas("completion", "bsh")
    #expect(english.status == 64)
    #expect(english.errors.contains("help: did you mean 'bash'?"))
    #expect(try mpaas("doctor", "--color", "alwys", "--lang", "zh-Hans").errors.contains("可选：auto、always、never"))
  }

  @Test("an error with --json is one object on standard error, with code, message and help")
  func jsonError() throws {
    let outcome = try mpaas("--json", "explain", "usge")
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    let error = try #require(try json(outcome.errors)["error"] as? [String: Any])
    #expect(error["code"] as? String == "unknown-diagnostic-near")
    #expect((error["help"] as? String)?.contains("'usage'") == true)
    #expect((error["message"] as? String)?.contains("usge") == true)
  }

  @Test(
    "the language comes from --lang, MPAAS_LANG, LC_ALL, LC_MESSAGES, LANG in this order",
    arguments: [
      (["explain", "x", "--lang", "zh-Hans"], ["LC_ALL": "en_US.UTF-8"], true),
      (["--lang=zh", "explain", "x"], [:], true),
      (["explain", "x"], ["MPAAS_LANG": "zh-Hans"], true),
      (["explain", "x"], ["MPAAS_LANG": "en", "LC_ALL": "zh_CN.UTF-8"], false),
      (["explain", "x"], ["LC_ALL": "zh_CN.UTF-8"], true),
      (["explain", "x"], ["LC_ALL": "", "LC_MESSAGES": "zh_CN", "LANG": "en_US"], true),
      (["explain", "x"], ["LC_ALL": "", "LC_MESSAGES": "", "LANG": "zh_CN"], true),
      (["explain", "x"], ["LC_ALL": "fr_FR.UTF-8"], false),
    ] as [([String], [String: String], Bool)])
  func language(arguments: [String], environment: [String: String], isChinese: Bool) throws {
    var all = ["LC_ALL": "C", "LC_MESSAGES": "", "LANG": "", "MPAAS_LANG": ""]
    all.merge(environment) { $1 }
    let outcome = try Command.run("mpaas", arguments, environment: all)
    #expect(outcome.errors.contains("错误：") == isChinese)
    #expect(outcome.errors.contains("error:") != isChinese)
  }

  @Test("the help exists in both languages, headings included")
  func help() throws {
    let english = try mpaas("help", "doctor")
    let chinese = try mpaas("doctor", "--help", "--lang", "zh-Hans")
    #expect(english.status == 0)
    #expect(chinese.status == 0)
    #expect(english.output.contains("USAGE: mpaas doctor"))
    #expect(english.output.contains("OPTIONS:"))
    #expect(chinese.output.contains("用法：mpaas doctor"))
    #expect(chinese.output.contains("选项："))
    #expect(!chinese.output.contains("OPTIONS"))
  }

  @Test("a pipe gets no escape sequence, a terminal does")
  func colour() throws {
    let folder = try TemporaryFolder()
    let environment = ["MPAAS_HOME": folder.path, "TERM": "xterm", "LC_ALL": "C", "NO_COLOR": "", "CLICOLOR_FORCE": ""]
    #expect(try !Command.run("mpaas", ["kitversion"], environment: environment).output.contains("\u{1b}"))
    #expect(try Pty.run("mpaas", ["kitversion"], environment: environment).output.contains("\u{1b}[1m"))
  }

  @Test("NO_COLOR, CLICOLOR_FORCE and --color are obeyed, the option first")
  func colourChoices() throws {
    #expect(try mpaas("kitversion", environment: ["CLICOLOR_FORCE": "1"]).output.contains("\u{1b}"))
    #expect(try !mpaas("kitversion", environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]).output.contains("\u{1b}"))
    #expect(try mpaas("kitversion", "--color", "always", environment: ["NO_COLOR": "1"]).output.contains("\u{1b}"))
    #expect(try !mpaas("kitversion", "--color=never", environment: ["CLICOLOR_FORCE": "1"]).output.contains("\u{1b}"))
  }

  @Test("a reader that goes away ends the command quietly")
  func brokenPipe() throws {
    let program = Command.mpaas.path
    let outcome = try Command.run("bash", ["-c", "'\(program)' explain | head -n 1; echo ${PIPESTATUS[0]}"])
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.split(separator: "\n").count == 2)
  }

  @Test(
    "a full output disk is an error and not success", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDisk() throws {
    let program = Command.mpaas.path
    let outcome = try Command.run("bash", ["-c", "'\(program)' explain > /dev/full"])
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("error:"))
  }

  @Test("the documented command names and options are in the help of the command")
  func documented() throws {
    let help = try mpaas("--help").output
    for name in ["kitversion", "kitupdate", "doctor", "explain", "completion", "crash", "symbols"] {
      #expect(help.contains("  \(name) "), "\(name) is missing")
    }
  }
}
