import CommandKit
import Dispatch
import MPaaSCommands
import MPaaSSupport

let arguments = Array(CommandLine.arguments.dropFirst())
// Commands that need no waiting are answered before the concurrency runtime starts its threads.
if let status = Program.answerAtOnce(arguments, root: RootCommand.self) { ProcessEnd.now(status) }
Task { ProcessEnd.now(await Program.main(arguments, root: RootCommand.self)) }
dispatchMain()
