"""What actions mean, as they are described: an alias of `ttr_env.game.actions`."""

from ttr_env.game.actions import (
    Action,
    ActionTable,
    Claim,
    ClaimWithSets,
    DrawDeck,
    DrawFaceUp,
    DrawTickets,
    KeepTickets,
    NeutralClaim,
    Pass,
    SetCard,
    TunnelDecline,
    TunnelPay,
    from_dict,
    table,
)

__all__ = [
    "Action",
    "ActionTable",
    "Claim",
    "ClaimWithSets",
    "DrawDeck",
    "DrawFaceUp",
    "DrawTickets",
    "KeepTickets",
    "NeutralClaim",
    "Pass",
    "SetCard",
    "TunnelDecline",
    "TunnelPay",
    "from_dict",
    "table",
]
