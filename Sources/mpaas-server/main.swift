import Dispatch
import MPaaSServer
import MPaaSServing
import ServingKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// `mpaas serve` names its configuration; whatever else serves is called as `mpaas` was, and has its work handed over.
let work = HandedFile.take()
Task {
  let arguments = Array(CommandLine.arguments.dropFirst())
  if let work { exit(await ServingProgram.main(work)) }
  exit(await ServerProgram.main(arguments))
}
dispatchMain()
