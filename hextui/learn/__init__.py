"""Training of the network that judges positions: from games of people to the weights we ship.

Needs the extra ``learn``. Nothing else imports this room: what is learned is used by
``hextui.engine.neural``, which needs numpy alone.
"""
