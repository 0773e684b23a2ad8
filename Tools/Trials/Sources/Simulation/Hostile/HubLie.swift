/// A lie of a hub about what it holds.
public enum HubLie: String, Sendable, Hashable, CaseIterable {
    /// Acknowledges what it is sent, stores nothing of it, and shows nothing of it the next time.
    case forgetting
    /// Neither acknowledges nor shows what it is sent.
    case silent
    /// Announces a commit that no replica wrote, and never sends it.
    case unsent
    /// Claims holes that stay, however often they are filled.
    case holes
    /// Claims holes that are filled by what it is sent, and claims them again the next time.
    case newHoles
    /// Says that it has revoked the replica.
    case revoked
}
