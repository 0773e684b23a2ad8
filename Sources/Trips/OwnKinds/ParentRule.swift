/// What becomes of an app's entity whose parent is deleted. The log has no events for it: it holds while the parent is deleted, and ends
/// when that is restored.
public enum ParentRule: Sendable {
    /// It is hidden with its parent.
    case cascade
    /// It stays, and its parent reads as nil.
    case nullify
    /// Its parent cannot be deleted here while it is there. Where that is deleted elsewhere concurrently, or what the parent belongs to is
    /// deleted, it stays, and `unfiled` lists it.
    case deny
}
