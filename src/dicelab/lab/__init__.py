"""The lab: a web page where people play against perfection, with a coach beside them."""
