import Dispatch
import MPaaSServer
import MPaaSServing
import MPaaSSupport
import ServingKit

// `mpaas serve` names its configuration; whatever else serves is called as `mpaas` was, and has its work handed over.
let work = HandedFile.take()
Task {
  let arguments = Array(CommandLine.arguments.dropFirst())
  if let work { ProcessEnd.now(await ServingProgram.main(work)) }
  ProcessEnd.now(await ServerProgram.main(arguments))
}
dispatchMain()
