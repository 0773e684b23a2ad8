// swift-format-ignore-file
// Additions of Apple's overlay to its C library: functions with any number of arguments, and macros that Swift does not import.
@_exported import Darwin

public typealias sig_t = @convention(c) (Int32) -> Void
public var SIG_IGN: sig_t? { nil }
public var errno: Int32 { 0 }
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { 0 }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { 0 }
public func signal(_ number: Int32, _ action: sig_t?) -> sig_t? { nil }
