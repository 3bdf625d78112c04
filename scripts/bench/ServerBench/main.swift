/// Sends load to a server and prints what came of it; scripts/bench/server runs it.
///
/// `ServerBench posts --url URL --header NAME:VALUE… --bodies FILE --connections N [--rate N] [--limit N]`
/// `ServerBench uploads --url URL --token TOKEN --count N --size BYTES --chunk BYTES`
let arguments = Arguments(CommandLine.arguments)
switch arguments.command {
case "posts": try await Posts.run(arguments)
case "uploads": try await Uploads.run(arguments)
default: print("usage: ServerBench posts|uploads …")
}
