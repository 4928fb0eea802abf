import CFuzzer
import Glibc

// fuzz PARSER [OPTION OF LIBFUZZER]...: runs one parser over what libFuzzer makes up.

private let name = CommandLine.arguments.dropFirst().first ?? ""
guard let parser = parsers[name] else {
  print("usage: fuzz \(parsers.keys.sorted().joined(separator: "|")) [option of libFuzzer]...")
  exit(2)
}
chosenParser = parser

// The driver sees its own options alone.
private var words: [UnsafeMutablePointer<CChar>?] =
  ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map { strdup($0) }
private var count = Int32(words.count)
words.append(nil)
let status = words.withUnsafeMutableBufferPointer { buffer in
  var start = buffer.baseAddress
  return LLVMFuzzerRunDriver(&count, &start) { parse($0, $1) }
}
exit(status)
