import CommandKit
import Dispatch
import MPaaSCommands

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

let arguments = Array(CommandLine.arguments.dropFirst())
// What needs no waiting is answered before the concurrency runtime starts its threads.
if let status = Program.answerAtOnce(arguments) { exit(status) }
Task { exit(await Program.main(arguments, root: RootCommand.self)) }
dispatchMain()
