"""Security: forged presses, secrets in logs and files, what is open to the outside."""
