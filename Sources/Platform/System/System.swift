/// Calls that differ by system, with both branches beside each other: the page "System calls that differ" lists them.
///
/// The files of this folder import no Foundation, so that a stub of Apple's module type-checks their other branches on Linux: see
/// `Tools/check-darwin`.
package enum System {}
