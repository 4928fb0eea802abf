/// The parser that was chosen: C's callback captures nothing, and finds it here.
nonisolated(unsafe) var chosenParser: ([UInt8]) -> Void = { _ in }

/// Hands what libFuzzer made up to the chosen parser.
func parse(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  chosenParser(Array(UnsafeBufferPointer(start: data, count: size)))
  return 0
}

/// The same under the name that libFuzzer's own entrance looks for; nothing else calls it.
@_cdecl("LLVMFuzzerTestOneInput")
func parseByName(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 { parse(data, size) }
