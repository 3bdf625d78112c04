extension FrameworkConsole {
  /// Carries out lines until they end or one says `quit`, and then ends the context, the launcher last.
  ///
  /// - Parameters:
  ///   - lines: The lines to carry out, without their ends.
  ///   - prompts: Whether the current micro-app's name is written before each line, as for somebody who sits there.
  ///   - write: Takes what is to be shown, with its line ends.
  /// - Returns: The exit status of a program: 0; 1 where a line failed and there was no person to see it.
  public func run<Lines: AsyncSequence>(
    lines: Lines, prompts: Bool = false, write: @MainActor (String) -> Void
  ) async -> Int32 where Lines.Element == String {
    var failed = false
    if prompts { write(prompt) }
    do {
      for try await line in lines {
        let reply = await execute(line)
        if !reply.text.isEmpty { write(reply.text + "\n") }
        failed = failed || reply.isError
        if reply.ends { break }
        if prompts { write(prompt) }
      }
    } catch {
      failed = true
      write("\(error)\n")
    }
    do { try context.terminate() } catch {
      failed = true
      write("\(error.code.id): \(error.message(in: language))\n")
    }
    return failed && !prompts ? 1 : 0
  }

  /// Takes lines from standard input and answers on standard output; prompts only where both are a terminal.
  ///
  /// - Returns: The exit status for the program, see `run(lines:prompts:write:)`.
  public func run() async -> Int32 {
    let prompts = StandardStreams.areTerminal
    return await run(lines: StandardStreams.lines, prompts: prompts, write: StandardStreams.write)
  }

  private var prompt: String { "\(context.current?.name ?? "mpaas")> " }
}
