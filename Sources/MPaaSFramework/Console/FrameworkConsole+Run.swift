extension FrameworkConsole {
  /// Carries out lines until they end or one says `quit`, and then ends the context, the launcher last.
  ///
  /// - Parameters:
  ///   - prompt: Written before each line; empty for none.
  ///   - write: Takes what is to be shown, with its line ends.
  /// - Returns: The exit status of a program: 0; 1 where a line failed and nobody sat there to see it.
  public func run<Lines: AsyncSequence>(
    lines: Lines, prompt: String = "", write: @MainActor (String) -> Void
  ) async -> Int32 where Lines.Element == String {
    var failed = false
    write(prompt)
    do {
      for try await line in lines {
        let reply = await execute(line)
        if !reply.text.isEmpty { write(reply.text + "\n") }
        failed = failed || reply.isError
        if reply.ends { break }
        write(prompt)
      }
    } catch {
      failed = true
      write("\(error)\n")
    }
    do { try context.terminate() } catch {
      failed = true
      write("\(error.code.id): \(error.message(in: language))\n")
    }
    return failed && prompt.isEmpty ? 1 : 0
  }

  /// Takes lines from standard input and answers on standard output; prompts only where both are a terminal.
  ///
  /// - Returns: The exit status for the program, see `run(lines:prompt:write:)`.
  public func run() async -> Int32 {
    let prompt = StandardStreams.areTerminal ? "\(context.current?.name ?? "mpaas")> " : ""
    return await run(lines: StandardStreams.lines, prompt: prompt, write: StandardStreams.write)
  }
}
