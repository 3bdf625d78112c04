import CommandKit
import Dispatch
import MPaaSServer
import MPaaSServing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

let arguments = Array(CommandLine.arguments.dropFirst())
// `mpaas serve` hands a configuration over; whatever else serves is called as `mpaas` was.
let isServer = arguments.isEmpty || arguments[0] == "--configuration"
Task {
  exit(isServer ? await ServerProgram.main(arguments) : await Program.main(arguments, root: ServingRoot.self))
}
dispatchMain()
