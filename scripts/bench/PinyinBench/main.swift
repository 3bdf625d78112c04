private import MPaaSPinyin

// usage: PinyinBench WHAT …; each measurement prints one line of JSON.
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "accuracy": try DictionaryAccuracy.run(Array(arguments.dropFirst()))
case "dictionary": try DictionarySpeed.run(Array(arguments.dropFirst()))
default: print("usage: PinyinBench accuracy FIXTURES [-v] | dictionary FILE")
}
